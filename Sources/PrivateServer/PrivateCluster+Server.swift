// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Logging
import Postgres

/// The steps of starting and stopping, each taken with the cluster's lock held.
extension PrivateCluster {
    private static let role = "subledger"
    private static let database = "subledger"

    func startLocked(_ location: ClusterLocation) async throws(PostgresError) -> PostgresConfiguration {
        try checkPath(location.cluster)
        if let server = Postmaster(runningOn: location.cluster) {
            let configuration = Self.configuration(server.socketDirectory)
            try await ensureDatabase(location, configuration)
            return configuration
        }
        let binaries = try await binaries(for: location)
        if FileStatus(location.cluster) == nil { try await create(location, binaries) }
        try Postmaster.removeMisleadingFile(location.cluster)
        try makeSocketDirectory(location)
        do throws(PostgresError) {
            try await launch(location, binaries)
        } catch {
            try ServerFiles.remove(location.socketDirectory)
            throw error
        }
        isStartedHere = true
        logger.info("private PostgreSQL started", metadata: ["postgres.cluster": "\(location.cluster)"])
        let configuration = Self.configuration(location.socketDirectory)
        try await ensureDatabase(location, configuration)
        return configuration
    }

    func stopLocked(_ location: ClusterLocation) async throws(PostgresError) {
        if let server = Postmaster(runningOn: location.cluster) {
            let arguments = ["-D", location.cluster, "-m", "fast", "-w", "-t", "120", "-s", "stop"]
            let program = try await binaries(for: location).path("pg_ctl")
            let ending = try await location.account.command([program] + arguments).run()
            guard ending.status == 0 || Postmaster(runningOn: location.cluster) == nil else {
                throw PostgresError(
                    .privateServer, "the server (process \(server.processID)) did not stop: \(ending.output)")
            }
            logger.info("private PostgreSQL stopped", metadata: ["postgres.cluster": "\(location.cluster)"])
        }
        isStartedHere = false
        try ServerFiles.remove(location.socketDirectory)
    }

    private static func configuration(_ socketDirectory: String) -> PostgresConfiguration {
        PostgresConfiguration(socketDirectory: socketDirectory, database: database, user: role)
    }

    private func binaries(for location: ClusterLocation) async throws(PostgresError) -> ServerBinaries {
        let version = ServerFiles.text(location.cluster + "/PG_VERSION")
        let major = version.flatMap { Int($0.trimmingCharacters(in: .newlines)) }
        let folders = if let given = places.programDirectories { given } else { await ServerBinaries.usualFolders() }
        return try await ServerBinaries.find(major: major, in: folders)
    }

    /// pg_ctl hands paths to a shell between double quotes.
    private func checkPath(_ path: String) throws(PostgresError) {
        guard !path.contains(where: { "\"$`\\\n".contains($0) }) else {
            throw PostgresError(
                .privateServer, "PostgreSQL cannot be started in \(path): the path holds one of \" $ ` \\")
        }
    }

    /// Makes the cluster beside its place and moves it there whole, so that one interrupted half-way is not taken for
    /// a cluster.
    private func create(_ location: ClusterLocation, _ binaries: ServerBinaries) async throws(PostgresError) {
        let unfinished = location.cluster + ".new"
        try ServerFiles.remove(unfinished)
        try ServerFiles.makeDirectory(unfinished, mode: 0o700, owner: location.account)
        let options = [
            "-D", unfinished, "-U", Self.role, "--auth-local=trust", "--auth-host=reject", "-E", "UTF8",
            "--locale=C.UTF-8", "--lc-collate=C", "--lc-messages=C", "--data-checksums", "--no-instructions",
        ]
        let speed = durability == .ephemeral ? ["--no-sync"] : []
        let ending = try await location.account.command([binaries.path("initdb")] + options + speed).run()
        guard ending.status == 0 else {
            throw PostgresError(.privateServer, "initdb failed: \(Self.lastLines(ending.output))")
        }
        try appendSettings(unfinished, location.account)
        guard unsafe rename(unfinished, location.cluster) == 0 else {
            throw ServerFiles.failure("cannot move the new cluster to \(location.cluster)")
        }
    }

    /// Settings that the owner may change: they are in the cluster's own postgresql.conf.
    private func appendSettings(_ cluster: String, _ account: ServerAccount) throws(PostgresError) {
        let settings = ServerSettings.ofThisMachine(durability)
        let lines = ["", "# Set by subledger when it made this cluster."] + settings.lines
        let file = cluster + "/postgresql.conf"
        try ServerFiles.append(lines.joined(separator: "\n") + "\n", to: file)
        guard unsafe chmod(file, 0o600) == 0, unsafe chown(file, account.userID, account.groupID) == 0 else {
            throw ServerFiles.failure("cannot give \(file) to \(account.name)")
        }
    }

    /// Only its mode keeps other users of the machine out, so one that somebody else made is refused.
    ///
    /// What a killed server left in it goes: its lock names a process number that may be another's by now.
    private func makeSocketDirectory(_ location: ClusterLocation) throws(PostgresError) {
        let directory = location.socketDirectory
        try ServerFiles.makeDirectory(directory, mode: 0o700, owner: location.account)
        guard let status = FileStatus(directory), status.isDirectory, status.owner == location.account.userID,
            status.permissions == 0o700
        else {
            throw PostgresError(
                .privateServer,
                "\(directory) is not a directory of \(location.account.name) with mode 0700; remove it")
        }
        try ServerFiles.remove(directory + "/.s.PGSQL.5432")
        try ServerFiles.remove(directory + "/.s.PGSQL.5432.lock")
    }

    /// Starts the server and waits until it takes connections, crash recovery included.
    ///
    /// After a killed server its workers need a moment to notice, so that one refusal is retried.
    private func launch(_ location: ClusterLocation, _ binaries: ServerBinaries) async throws(PostgresError) {
        let log = location.cluster + "/server.log"
        let logStart = ServerFiles.text(log)?.utf8.count ?? 0
        let settings = [
            "listen_addresses=", "port=5432", "unix_socket_directories=\(location.socketDirectory)",
            "unix_socket_permissions=0700",
        ].map { "-c '\($0)'" }.joined(separator: " ")
        let arguments = ["-D", location.cluster, "-l", log, "-w", "-t", "300", "-s", "-o", settings, "start"]
        let command = try location.account.command([binaries.path("pg_ctl")] + arguments)
        for attempt in 1...20 {
            let ending = try await command.run()
            if ending.status == 0 { return }
            let said = String(decoding: (ServerFiles.text(log) ?? "").utf8.dropFirst(logStart), as: UTF8.self)
            guard attempt < 20, said.contains("pre-existing shared memory block") else {
                throw PostgresError(
                    .privateServer,
                    "the private server did not start: \(Self.lastLines(ending.output + said)); its log is \(log)")
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    private static func lastLines(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).suffix(5).joined(separator: " / ")
    }

    /// The database is made on first use; a start that was interrupted before is made up for here.
    private func ensureDatabase(
        _ location: ClusterLocation, _ configuration: PostgresConfiguration
    ) async throws(PostgresError) {
        do throws(PostgresError) {
            await (try PostgresConnection.connect(configuration, logger: logger)).close()
        } catch {
            guard error.sqlState == "3D000" else { throw error }
            let program = try await binaries(for: location).path("createdb")
            let options = ["-h", location.socketDirectory, "-p", "5432", "-U", Self.role, "-w", Self.database]
            let ending = try await location.account.command([program] + options).run()
            guard ending.status == 0 else {
                throw PostgresError(.privateServer, "createdb failed: \(Self.lastLines(ending.output))")
            }
        }
    }
}
