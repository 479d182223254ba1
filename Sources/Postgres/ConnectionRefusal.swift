// SPDX-License-Identifier: Apache-2.0

/// Why there is no connection: a server that is away, one that refuses, or words in the configuration that no attempt will
/// ever make right.
enum ConnectionRefusal {
    /// Of an attempt that failed.
    ///
    /// libpq has no codes for its own errors, so their texts are compared.
    static func error(
        _ reason: String, sqlState: String?, to configuration: PostgresConfiguration
    ) -> PostgresError {
        if reason.contains("unsupported startup parameter") { return pooled(configuration) }
        if reason.contains("server is in hot standby mode") { return standby(configuration) }
        // A setting that the oldest supported version has.
        if sqlState == "42704" { return tooOld(configuration, version: nil) }
        if sqlState == nil, let sentence = CertificateRefusal.sentence(reason, of: configuration) {
            return PostgresError(.configuration, sentence)
        }
        let isWrong = sqlState == nil && wrongWords.contains { reason.contains($0) }
        return PostgresError(
            isWrong ? .configuration : .connectionFailed,
            "cannot connect to \(configuration): \(reason)\(advice[sqlState ?? ""].map { ": " + $0 } ?? "")",
            sqlState: sqlState)
    }

    /// What to do about a refusal that the server has a code for.
    private static let advice = [
        "28P01": "put the role's password into database.url, or into the file that its passfile= names (mode 0600)",
        "28000": "name a role that may log in and that the server lets in from this machine (pg_hba.conf)",
        "3D000": "make that database (createdb), or name the one that is meant",
        "42501": "grant connect on the database to that role",
    ]

    /// Of a session that has not the settings it was asked for.
    static func pooled(_ configuration: PostgresConfiguration) -> PostgresError {
        PostgresError(
            .configuration,
            "\(configuration) is a pooler such as PgBouncer, which does not keep a session's settings: name the "
                + "PostgreSQL server itself")
    }

    /// Of a server that is older than the schema can be made on.
    static func tooOld(_ configuration: PostgresConfiguration, version: String?) -> PostgresError {
        PostgresError(
            .configuration,
            "\(configuration) is PostgreSQL \(version ?? "of an unknown version"); subledger needs "
                + "\(SessionSettings.oldestVersion / 10_000) or newer: upgrade the server, or name another one")
    }

    /// Of a session on a server that takes writes, whose role or database says that it must not.
    static func readOnly(_ configuration: PostgresConfiguration) -> PostgresError {
        PostgresError(
            .configuration,
            "\(configuration) opens read-only sessions: default_transaction_read_only is on for the role, the database or "
                + "the server; turn it off (alter role … reset default_transaction_read_only), or use another role")
    }

    /// A standby may be promoted, and the primary may come back.
    private static func standby(_ configuration: PostgresConfiguration) -> PostgresError {
        PostgresError(
            .readOnly, "\(configuration) is a read-only standby: name the primary, or wait until it is promoted")
    }

    private static let wrongWords = [
        "invalid sslmode value", "invalid channel_binding value", "invalid gssencmode value", "invalid ssl_",
        "invalid target_session_attrs value", "invalid port number", "invalid integer value", "invalid URI",
        "root certificate file", "certificate file \"", "private key file \"", "no password supplied",
        "server does not support SSL", "certificate verify failed", "server certificate for", "definition of service",
    ]
}
