// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
package import Runs
internal import Stores

/// `notifications`: a run of its own that reads the inbox and fetches what the stores keep, between two nights.
package struct NotificationJob: Sendable {
    /// What became of an app's notifications.
    package struct Summary: Sendable {
        package var result = RunResult.done
        /// In the order of the configuration; nil where the store stopped the app.
        package var apps: [(app: AppID, counts: NotificationCounts?)] = []
        package var stoppedApps: [(app: AppID, message: String)] = []

        package var outcome: Run.Outcome { result.outcome }
    }

    /// For however many apps: none is taken while a store is asked.
    private static let sessions = 2

    private let database: PostgresConfiguration
    private let connection: PostgresConnection
    private let logger: Logger
    private let leaseSeconds: Int64

    package init(
        database: PostgresConfiguration, connection: PostgresConnection, logger: Logger,
        leaseSeconds: Int64 = RunLedger.leaseSeconds
    ) {
        self.leaseSeconds = leaseSeconds
        self.database = database
        self.connection = connection
        self.logger = logger
    }

    /// Runs for these apps. Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary.
    package func run(
        _ apps: [StoreApp], now: Instant, businessDate: BusinessDate, pulls: Bool, waiting: RunWaiting = RunWaiting()
    ) async throws -> Summary {
        let ledger = RunLedger(connection: connection, leaseSeconds: leaseSeconds, waiting: waiting)
        let request = RunRequest(.notifications, apps: apps.map(\.id), now: now, businessDate: businessDate)
        let ifBroken = BrokenRun.failed(counts: NotificationCounts().figures)
        return try await ledger.withRun(request, on: database, logger: logger, ifBroken: ifBroken) { run in
            let listener = StoreListener(
                sessions: DatabaseSessions(database, limit: Self.sessions, logger: logger), logger: logger)
            let observed = try await listener.listen(to: apps, in: run, pulls ? .notifications : .nothing)
            let summary = summary(of: apps, observed)
            for stopped in summary.stoppedApps { try await ledger.stop(stopped.app, of: run, because: stopped.message) }
            return summary
        } conclude: { _, _, summary in
            let sum = summary.apps.compactMap(\.counts).reduce(NotificationCounts(), +)
            return RunEnding(summary, outcome: summary.outcome, counts: sum.figures)
        }
    }

    private func summary(of apps: [StoreApp], _ observed: [AppID: StoreListener.Observed]) -> Summary {
        var summary = Summary()
        for app in apps.map(\.id) {
            let stop = observed[app]?.stop
            summary.apps.append((app, stop == nil ? observed[app]?.counts : nil))
            if let stop { summary.stoppedApps.append((app, stop.message)) }
        }
        summary.result = RunResult(
            unfinished: observed.values.compactMap(\.stop), of: apps.count,
            isClean: summary.apps.allSatisfy { $0.counts?.pullFailure == nil })
        return summary
    }
}
