// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog
internal import Stores

/// Intake: looks at the purchases that the backend handed in, app by app, and judges each. What is accepted is
/// registered and booked in the same transaction as its verdict; what cannot be judged now waits for the next run.
package struct IntakeRun: Sendable {
    package struct Options: Sendable {
        /// The run's logical clock.
        package var now: Instant
        package var businessDate: BusinessDate
        /// Every app of the configuration, looked at or not.
        package var configuredApps: [Migrator.App]
        package var access: Access.Policy
        /// Purchases that are judged and written together.
        package var roundSize: Int64 = 200

        package init(
            now: Instant, businessDate: BusinessDate, configuredApps: [Migrator.App], access: Access.Policy
        ) {
            self.now = now
            self.businessDate = businessDate
            self.configuredApps = configuredApps
            self.access = access
        }
    }

    private let database: PostgresConfiguration
    private let apps: [NightlyApp]
    private let options: Options
    private let logger: Logger

    package init(database: PostgresConfiguration, apps: [NightlyApp], options: Options, logger: Logger) {
        self.database = database
        self.apps = apps
        self.options = options
        self.logger = logger
    }

    /// Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary instead.
    package func run() async throws -> IntakeSummary {
        let connection = try await PostgresConnection.connect(database, logger: logger)
        defer { Task { await connection.close() } }
        let migrator = Migrator(connection: connection, logger: logger)
        _ = try await migrator.migrate()
        try await migrator.keep(options.configuredApps, access: options.access)
        let ledger = RunLedger(connection: connection)
        let run = try await ledger.open(
            .intake, apps: apps.map(\.id), now: options.now, businessDate: options.businessDate)
        do {
            return try await RunLease.hold(run, on: database, logger: logger) {
                let (tallied, stops) = try await work(run, connection)
                return try await conclude(run, ledger, tallied, stops)
            }
        } catch {
            await ledger.leave(run, because: error)
            throw error
        }
    }

    private func work(
        _ run: Run, _ connection: PostgresConnection
    ) async throws -> (IntakeSummary, [AppID: StoreFailure]) {
        var summary = IntakeSummary(runID: run.id)
        var stops: [AppID: StoreFailure] = [:]
        for app in apps {
            stops[app.id] = try await AppIntake(
                app: app, run: run, connection: connection, roundSize: options.roundSize, logger: logger
            ).work(into: &summary)
            let tally = summary.tallies[app.id, default: IntakeSummary.Tally()]
            let taken = tally.accepted + tally.refused + tally.waiting
            try await connection.execute(
                SQL.Pipeline.setDue, [.int(run.id), PostgresValue(app.id), PostgresValue(taken)])
        }
        return (summary, stops)
    }

    private func conclude(
        _ run: Run, _ ledger: RunLedger, _ tallied: IntakeSummary, _ stops: [AppID: StoreFailure]
    ) async throws -> IntakeSummary {
        var summary = tallied
        for (app, failure) in stops.sorted(by: { $0.key < $1.key }) {
            try await ledger.stop(app, of: run, because: failure.message)
            summary.stoppedApps.append((app, failure.message))
        }
        _ = try await ledger.seal(run)
        let figures = try await ledger.database.query(SQL.Pipeline.runFigures, [.int(run.id)]).first
        let deadLetters = try figures?.int64("dead_letters") ?? 0
        summary.outcome =
            !stops.isEmpty && stops.count >= apps.count
            ? .failed : stops.isEmpty && deadLetters == 0 ? .done : .partial
        var counts = summary.counts
        counts["dead_letters"] = deadLetters
        try await ledger.finish(run, outcome: summary.outcome, counts: counts)
        return summary
    }
}
