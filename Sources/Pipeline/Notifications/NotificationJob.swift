// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import Stores

/// `notifications`: a run of its own that reads the inbox and fetches what the stores keep, between two nights.
package struct NotificationJob: Sendable {
    /// What became of an app's notifications.
    package struct Summary: Sendable {
        package var outcome = Run.Outcome.done
        /// In the order of the configuration; nil where the store stopped the app.
        package var apps: [(app: AppID, counts: NotificationCounts?)] = []
        package var stoppedApps: [(app: AppID, message: String)] = []
    }

    private let database: PostgresConfiguration
    private let connection: PostgresConnection
    private let logger: Logger

    package init(database: PostgresConfiguration, connection: PostgresConnection, logger: Logger) {
        self.database = database
        self.connection = connection
        self.logger = logger
    }

    /// Runs for these apps. Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary.
    package func run(
        _ apps: [NightlyApp], now: Instant, businessDate: BusinessDate, pulls: Bool
    ) async throws -> Summary {
        let ledger = RunLedger(connection: connection)
        let request = RunRequest(.notifications, apps: apps.map(\.id), now: now, businessDate: businessDate)
        let ifBroken = BrokenRun.failed(counts: NotificationCounts().figures)
        return try await ledger.withRun(request, on: database, logger: logger, ifBroken: ifBroken) { run in
            let summary = try await listen(run, apps, pulls: pulls)
            for stopped in summary.stoppedApps { try await ledger.stop(stopped.app, of: run, because: stopped.message) }
            return summary
        } conclude: { _, _, summary in
            let sum = summary.apps.compactMap(\.counts).reduce(NotificationCounts(), +)
            return RunEnding(summary, outcome: summary.outcome, counts: sum.figures)
        }
    }

    /// What one app's store told; `failure` where it stopped the app.
    private struct Heard: Sendable {
        let app: AppID
        var counts: NotificationCounts?
        var failure: String?
    }

    /// The apps side by side, each on a connection of its own: a store that answers slowly holds nobody else's news.
    private func listen(_ run: Run, _ apps: [NightlyApp], pulls: Bool) async throws -> Summary {
        let heard = try await withThrowingTaskGroup(of: Heard.self) { group in
            for app in apps { group.addTask { try await listen(run, to: app, pulls: pulls) } }
            return try await group.reduce(into: [AppID: Heard]()) { $0[$1.app] = $1 }
        }
        try Task.checkCancellation()
        var summary = Summary()
        for app in apps.map(\.id) {
            summary.apps.append((app, heard[app]?.counts))
            if let failure = heard[app]?.failure { summary.stoppedApps.append((app, failure)) }
        }
        summary.outcome = Run.Outcome(
            stopped: summary.stoppedApps.count, of: apps.count,
            isClean: summary.apps.allSatisfy { $0.counts?.pullFailure == nil })
        return summary
    }

    private func listen(_ run: Run, to app: NightlyApp, pulls: Bool) async throws -> Heard {
        let own = try await PostgresConnection.connect(database, logger: logger)
        defer { Task { await own.close() } }
        var heard = Heard(app: app.id)
        do {
            heard.counts = try await NotificationRound(run: run, connection: own, logger: logger)
                .listen(to: app, pulls: pulls)
        } catch let failure as StoreFailure where failure.kind != .cancelled {
            heard.failure = failure.message
        }
        return heard
    }
}
