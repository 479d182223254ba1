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
    /// Where it writes, a private database that is not there yet is made. `needed`: connections that the job takes.
    func withDatabase<Result>(
        for use: DatabaseUse = .writing, patience limit: Duration? = nil, needed: Int = ConnectionNeed.withoutLease,
        _ body: (PostgresConfiguration) async throws -> Result
    ) async throws -> Result {
        switch configuration.database {
        case .server(let primary, let reading, let patience):
            let server = ConfiguredServer(primary: primary, reading: reading, for: use)
            let database = watched(server.database)
            try await reach(
                database, for: limit.map { Span.seconds($0.components.seconds) } ?? patience,
                comparingClocks: use == .writing && !isNowGiven, needed: needed
            ) { server.refusal($0) }
            return try await body(database)
        case .privateCluster(let directory):
            return try await withPrivateServer(in: directory, mayCreate: use == .writing, body)
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
    ///
    /// `idlingAtMost`: the server ends a session that is left in a transaction for longer, with its locks.
    func withMigratedSessions<Result>(
        _ limit: Int, persistingCurrency: Bool = true, idlingAtMost idleLimit: Duration? = nil,
        _ body: (DatabaseSessions) async throws -> Result
    ) async throws -> Result {
        try await withDatabase(needed: ConnectionNeed.night(workers: limit)) { database in
            var database = database
            database.idleLimit = idleLimit
            return try await withSessions(with: database, limit) { sessions in
                try await sessions.use { try await migrate($0, persistingCurrency: persistingCurrency) }
                return try await body(sessions)
            }
        }
    }

    func withSessions<Result>(
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
            configuration.apps.map { $0.row(on: today) }, access: configuration.access,
            reportingCurrency: persistingCurrency ? configuration.reports.currency : nil)
        try await ReportZoneCheck(connection: connection, logger: logger).check(configuration.reports.timeZone)
    }

    /// How long a server is waited for that goes away while the job works.
    private var patience: Duration {
        switch configuration.database {
        case .server(_, _, let patience): .microseconds(patience.micros)
        case .privateCluster: DatabaseSessions.patience
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
    /// database has another time. `refusal`: what an error means that no wait mends; nil of one that may pass.
    private func reach(
        _ server: PostgresConfiguration, for patience: Span, comparingClocks: Bool, needed: Int,
        refusal: (PostgresError) -> (any Error)?
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
            } catch let refused as PostgresError {
                let error = refused.isTooManyConnections ? ConnectionNeed.lacking(needed, refused) : refused
                if let refusal = refusal(error) { throw refusal }
                guard .now < end else { throw error }
                if !isReported { logger.warning("\(error.message); trying again for \(patience.micros / 1_000_000) s") }
                isReported = true
                try await Task.sleep(for: min(.seconds(5), end - .now))
            }
        }
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
    /// As the database keeps it on that day: what is to be retired later is not retired yet.
    func row(on day: BusinessDate) -> Migrator.App {
        Migrator.App(
            id: id, store: kind, environment: environment, defaultCountry: defaultCountry,
            hasOwnBilling: hasOwnBilling, retiredOn: isRetired(on: day) ? retiredOn : nil, title: title)
    }
}
