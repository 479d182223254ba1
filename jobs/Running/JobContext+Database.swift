// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Operations
import Postgres
import PrivateServer
import Runs

/// The database for the time of a job: the configured one, or the private one, which is started where it does not run.
extension JobContext {
    /// Runs the body with the database.
    ///
    /// `mayCreate`: it writes, and a private database that is not there yet is made.
    func withDatabase<Result>(
        mayCreate: Bool = true, _ body: (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        switch configuration.database {
        case .server(let configured, let patience):
            let server = watched(configured)
            try await reach(server, for: patience, comparingClocks: mayCreate && !isNowGiven)
            return try await body(server)
        case .privateCluster(let directory):
            return try await withPrivateServer(in: directory, mayCreate: mayCreate, body)
        }
    }

    /// The same with one connection, and the schema in step with program and configuration.
    ///
    /// `persistingCurrency`: the reporting currency, too.
    func withMigratedDatabase<Result>(
        persistingCurrency: Bool = true, _ body: (PostgresConnection, PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        try await withDatabase { database in
            try await withConnection(to: database) { connection in
                try await migrate(connection, persistingCurrency: persistingCurrency)
                return try await body(connection, database)
            }
        }
    }

    /// The same with sessions, so many for work at once: they are opened again where the database was away.
    func withMigratedSessions<Result>(
        _ limit: Int, persistingCurrency: Bool = true, _ body: (DatabaseSessions) async throws -> Result
    ) async throws -> Result {
        try await withDatabase { database in
            try await withSessions(with: database, limit) { sessions in
                try await sessions.use { try await migrate($0, persistingCurrency: persistingCurrency) }
                return try await body(sessions)
            }
        }
    }

    private func withSessions<Result>(
        with database: PostgresConfiguration, _ limit: Int, _ body: (DatabaseSessions) async throws -> Result
    ) async throws -> Result {
        let sessions = DatabaseSessions(database, limit: limit, patience: patience, logger: logger)
        do {
            let result = try await body(sessions)
            await sessions.close()
            return result
        } catch {
            await sessions.close()
            throw error
        }
    }

    private func migrate(_ connection: PostgresConnection, persistingCurrency: Bool) async throws {
        let migrator = Migrator(connection: connection, logger: logger)
        _ = try await migrator.migrate()
        try await migrator.persist(
            configuration.apps.map(\.row), access: configuration.access,
            reportingCurrency: persistingCurrency ? configuration.reports.currency : nil)
        try await ReportZoneCheck(connection: connection, logger: logger).check(configuration.reports.timeZone)
    }

    /// How long a server is waited for that goes away while the job works.
    private var patience: Duration {
        switch configuration.database {
        case .server(_, let patience): .microseconds(patience.micros)
        case .privateCluster: DatabaseSessions.patience
        }
    }

    /// One connection to a database that is there, for looking only.
    func readingDatabase<Result>(_ body: (PostgresConnection) async throws -> Result) async throws -> Result {
        try await reading { try await withConnection(to: $0, body) }
    }

    /// The same with sessions, one at a time: they are opened again where the database was away.
    func readingSessions<Result>(_ body: (DatabaseSessions) async throws -> Result) async throws -> Result {
        try await reading { try await withSessions(with: $0, 1, body) }
    }

    private func reading<Result>(_ body: (PostgresConfiguration) async throws -> Result) async throws -> Result {
        do {
            return try await withDatabase(mayCreate: false, body)
        } catch let error as PostgresError where ["42P01", "3F000", "42883", "42703"].contains(error.sqlState) {
            throw PipelineError(.schemaDiffers, "the database has not this version's schema: run subledger migrate")
        } catch let error as PostgresError where error.sqlState == "42501" {
            throw PipelineError(
                .ownerNeeded,
                "the role of database.url may not read the schema (\(error.message)): run it as the schema's owner, or let the owner "
                    + "grant it subledger_night, which sql/roles/roles.sql makes")
        }
    }

    func withConnection<Result>(
        to database: PostgresConfiguration, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    /// A statement that gets no answer is looked for.
    private func watched(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var database = database
        database.look = ServerLook()
        database.waiting.watchdog = .microseconds(configuration.watchdog.micros)
        return database
    }

    /// Waits for a server that is away, for so long; one that refuses is a matter of configuration.
    ///
    /// Both are known before anything is started. A job that writes by this machine's clock does not begin where the
    /// database has another time.
    private func reach(
        _ server: PostgresConfiguration, for patience: Span, comparingClocks: Bool
    ) async throws {
        let end = ContinuousClock.now + .microseconds(patience.micros)
        var isReported = false
        while true {
            do {
                return try await withConnection(to: server) { connection in
                    guard comparingClocks else { return }
                    try DatabaseClock.compare(
                        machine: .currentSecond, database: try await DatabaseClock.read(on: connection))
                }
            } catch let error as PostgresError {
                guard error.disposition == .retry else { throw Self.refusal(error) }
                guard .now < end else { throw error }
                if !isReported { logger.warning("\(error.message); trying again for \(patience.micros / 1_000_000) s") }
                isReported = true
                try await Task.sleep(for: min(.seconds(5), end - .now))
            }
        }
    }

    private static func refusal(_ error: PostgresError) -> any Error {
        [.connectionFailed, .configuration].contains(error.code)
            ? UsageError("subledger: database.url: \(error.message)") : error
    }

    private func withPrivateServer<Result>(
        in directory: String, mayCreate: Bool, _ body: (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        let cluster = PrivateCluster(directory: directory, logger: logger)
        if !mayCreate, try await cluster.status() == .absent {
            throw PipelineError(.failed, "there is no database yet: run subledger import or nightly first")
        }
        let use = try await PrivateServerUse.join(folder: directory)
        do {
            let database = try await cluster.start()
            if await cluster.isStartedHere { use.markAsStartedByJob() }
            let result = try await body(watched(database))
            try await leave(cluster, use)
            return result
        } catch {
            try? await leave(cluster, use)
            throw error
        }
    }

    private func leave(_ cluster: PrivateCluster, _ use: borrowing PrivateServerUse) async throws {
        guard use.isStartedByJob, use.isLast() else { return }
        try await cluster.stop()
        use.leaveRunning()
    }
}

extension AppConfiguration {
    /// As the database keeps it.
    var row: Migrator.App {
        Migrator.App(
            id: id, store: kind, environment: environment, defaultCountry: defaultCountry,
            hasOwnBilling: hasOwnBilling)
    }
}
