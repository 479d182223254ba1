// SPDX-License-Identifier: Apache-2.0

import Logging
import Postgres
import Runs

/// The database for jobs that only look: the standby where one is configured, else the primary.
extension JobContext {
    /// One connection to a database that is there.
    ///
    /// `patience`: how long a server that cannot be reached is tried; nil: as configured. `reportsLag`: says in the log how far a
    /// standby lags, where the job does not do so itself.
    func readingDatabase<Result>(
        for use: DatabaseUse = .reading, patience: Duration? = nil, reportsLag: Bool = true,
        _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await reading(for: use, patience: patience) { database in
            try await withConnection(to: database) { connection in
                if reportsLag { try await reportLag(of: connection) }
                return try await body(connection)
            }
        }
    }

    /// The same with sessions, one at a time: they are opened again where the database was away.
    func readingSessions<Result>(
        for use: DatabaseUse = .reading, _ body: (DatabaseSessions) async throws -> Result
    ) async throws -> Result {
        try await reading(for: use) { database in
            try await withSessions(with: database, 1) { sessions in
                try await sessions.use { try await reportLag(of: $0) }
                return try await body(sessions)
            }
        }
    }

    private func reportLag(of connection: PostgresConnection) async throws {
        guard let lag = try await StandbyLag.read(on: connection) else { return }
        logger.log(
            level: lag.isReceiving ? .notice : .warning, "read on the standby \(connection.configuration): \(lag)")
    }

    private func reading<Result>(
        for use: DatabaseUse, patience: Duration? = nil, _ body: (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        do {
            return try await withDatabase(for: use, patience: patience, body)
        } catch let error as PostgresError where ["42P01", "3F000", "42883", "42703"].contains(error.sqlState) {
            throw PipelineError(
                .schemaDiffers,
                "the database has not this version's schema: run subledger migrate (a standby has it once it has caught up)"
            )
        } catch let error as PostgresError where error.sqlState == "42501" {
            throw PipelineError(
                .ownerNeeded,
                "the role of the database's URL may not read the schema (\(error.message)): run it as the schema's owner, or let "
                    + "the owner grant it subledger_night, which sql/roles/roles.sql makes")
        }
    }
}
