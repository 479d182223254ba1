// SPDX-License-Identifier: Apache-2.0

/// Where the database is and how to reach it.
///
/// Never shows a password, however it is printed.
package struct PostgresConfiguration: Sendable {
    /// libpq keywords and values as configured.
    private var options: [String: String]
    /// Whether a standby will do.
    package var purpose = Purpose.writing
    /// What the server shows as the name of the program.
    package var applicationName = "subledger"
    /// After how long a statement without an answer is spoken of, and looked into.
    package var waiting = WaitingLimits()
    /// Looks for sessions that give no answer; nil: they are waited for.
    package var look: (any SessionLook)?
    /// A session that is left in a transaction for so long is ended by the server; nil: it is not.
    package var idleLimit: Duration?
    /// For a short question: without an answer for so long the connection is given up, and not looked for.
    package var answerLimit: Duration?

    /// From a `postgresql://` URL or a libpq `key=value` string.
    ///
    /// Throws `.configuration` with a sentence that does not repeat the text, which may hold a password.
    package init(url: String) throws(PostgresError) {
        try Self.refuseUnencoded(url)
        guard let options = ConnectionOptions.parse(url) else {
            throw PostgresError(
                .configuration,
                "the database URL cannot be read; write postgresql://user@host:port/database?option=value and "
                    + "percent-encode special characters of user and password")
        }
        self.options = options
        try validate()
    }

    /// A server on this machine, reached through its unix socket.
    package init(socketDirectory: String, port: Int = 5432, database: String, user: String) {
        options = ["host": socketDirectory, "port": String(port), "dbname": database, "user": user]
    }

    /// The same server and user, another database.
    package func with(database: String) -> Self {
        var copy = self
        copy.options["dbname"] = database
        return copy
    }

    /// True if every host is a unix socket or a loopback address; libpq's environment variables count.
    package var isLocal: Bool {
        let effective = effectiveOptions
        guard effective["service"] == nil else { return false }
        let hosts = list(effective["host"]) + list(effective["hostaddr"])
        return hosts.allSatisfy(Self.isLocalHost)
    }

    /// libpq's `sslmode` in force, `prefer` where nothing names one; libpq's environment variables count.
    package var sslMode: String {
        effectiveOptions["sslmode"] ?? "prefer"
    }

    /// libpq's `sslrootcert` in force; nil: its default.
    var rootCertificateFile: String? { effectiveOptions["sslrootcert"] }

    /// `host:port`, for a command line.
    var place: String { "\(effectiveOptions["host"] ?? "localhost"):\(effectiveOptions["port"] ?? "5432")" }

    /// The name of the database; libpq's default is the user's name.
    package var database: String? { options["dbname"] }

    /// The same, for looking only: any of the servers that it names will do, unless it says which.
    package var forReadingAnywhere: Self {
        var copy = self
        copy.purpose = .reading
        copy.options["target_session_attrs"] = options["target_session_attrs"] ?? "any"
        return copy
    }

    /// Files of certificates that the connection uses, with libpq's word for each; libpq's environment variables count.
    package var certificateFiles: [(option: String, path: String)] {
        let effective = effectiveOptions
        return ["sslrootcert", "sslcert"].compactMap { option in
            effective[option].flatMap { $0.hasPrefix("/") ? (option, $0) : nil }
        }
    }

    /// One stands in the URL itself.
    package var hasPassword: Bool { options["password"] != nil }

    /// The same, and a server that does not answer is given up after so many seconds.
    package func connecting(within seconds: Int) -> Self {
        var copy = self
        copy.options["connect_timeout"] = String(seconds)
        return copy
    }

    /// The same server and database, another user.
    package func with(user: String) -> Self {
        var copy = self
        copy.options["user"] = user
        return copy
    }

    /// What libpq is given: the options as configured, defaults for what they leave out, and the session's settings.
    var connectionOptions: [String: String] {
        let defaults = [
            "connect_timeout": "10", "keepalives": "1", "keepalives_idle": "30", "keepalives_interval": "10",
            "keepalives_count": "3", "tcp_user_timeout": "60000", "target_session_attrs": "primary",
        ]
        var merged = options.merging(defaults) { configured, _ in configured }
        if let attributes = merged["target_session_attrs"], purpose.needsPrimary(insteadOf: attributes) {
            merged["target_session_attrs"] = "primary"
        }
        // Tried by default wherever libpq finds a ticket; the libraries behind it break a process that is short of memory.
        merged["gssencmode"] =
            options["gssencmode"] ?? (effectiveOptions["gssencmode"] == "require" ? "require" : "disable")
        merged["application_name"] = merged["application_name"] ?? applicationName
        merged["client_encoding"] = "UTF8"
        // Of two values for one setting the later one holds.
        let idle = idleLimit.map { "-c idle_in_transaction_session_timeout=\($0.components.seconds)s" }
        merged["options"] = [
            SessionSettings.keepaliveOptions, options["options"], SessionSettings.startUpOptions, idle,
        ].compactMap(\.self).joined(separator: " ")
        return merged
    }

    private var effectiveOptions: [String: String] {
        ConnectionOptions.defaults().merging(options) { _, configured in configured }
    }

    private func list(_ value: String?) -> [String] {
        value.map { $0.split(separator: ",").map(String.init) } ?? []
    }

    private static func isLocalHost(_ host: String) -> Bool {
        let isSocket = host.hasPrefix("/") || host.hasPrefix("@")
        let octets = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let isLoopback = octets.count == 4 && octets[0] == 127 && octets.allSatisfy { $0 != nil }
        return isSocket || isLoopback || host == "localhost" || host == "::1"
    }

    /// libpq ends user and password at the first `@`, and takes what comes after a `/` for the database: it would look for
    /// a server that was not meant, and print what may be a piece of the password.
    private static func refuseUnencoded(_ url: String) throws(PostgresError) {
        guard let scheme = ["postgresql://", "postgres://"].first(where: url.hasPrefix) else { return }
        let parts = url.dropFirst(scheme.count).prefix { $0 != "?" }
            .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let isAmbiguous =
            (parts.first ?? "").count { $0 == "@" } > 1
            || parts.dropFirst().contains { $0.contains { "@/".contains($0) } }
        guard !isAmbiguous else {
            throw PostgresError(
                .configuration,
                "the database URL has an @ or a / more than its parts need; in user, password and database write @ as "
                    + "%40 and / as %2F")
        }
    }

    /// A password with an unescaped `@`, `/` or `:` spills into host or port, and libpq would then print it.
    private func validate() throws(PostgresError) {
        let portsAreNumbers = list(options["port"]).allSatisfy { UInt16($0) != nil }
        let hostsAreClean = list(options["host"]).allSatisfy { !$0.dropFirst().contains("@") }
        guard portsAreNumbers, hostsAreClean else {
            throw PostgresError(
                .configuration,
                "the database URL has a host or port that cannot be one; percent-encode @ : / in user and password")
        }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Host, port, database and user.
    package var description: String {
        ["host", "port", "dbname", "user"].compactMap { key in options[key].map { "\(key)=\($0)" } }
            .joined(separator: " ")
    }

    /// As `description`: a debugger's or a log's dump must not show the password either.
    package var debugDescription: String { description }

    /// Nothing to look into.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
