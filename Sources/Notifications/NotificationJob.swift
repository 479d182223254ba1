// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
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

    private let sessions: DatabaseSessions
    private let logger: Logger
    private let leaseSeconds: Int64

    /// `sessions`: however few for however many apps, as none is taken while a store is asked.
    package init(sessions: DatabaseSessions, logger: Logger, leaseSeconds: Int64 = RunLedger.leaseSeconds) {
        self.sessions = sessions
        self.leaseSeconds = leaseSeconds
        self.logger = logger
    }

    /// Runs for these apps.
    ///
    /// Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary.
    package func run(
        _ apps: [StoreApp], now: Instant, businessDate: BusinessDate, pulls: Bool, waiting: RunWaiting = RunWaiting()
    ) async throws -> Summary {
        let ledRun = LedRun(sessions: sessions, leaseSeconds: leaseSeconds, waiting: waiting, logger: logger)
        let request = RunRequest(.notifications, apps: apps.map(\.id), now: now, businessDate: businessDate)
        let ifBroken = BrokenRun.failed(counts: NotificationCounts().figures)
        return try await ledRun.run(request, ifBroken: ifBroken) { run in
            let listener = StoreListener(sessions: sessions, logger: logger)
            let observed = try await listener.listen(to: apps, in: run, pulls ? .notifications : .nothing)
            let summary = summary(of: apps, observed)
            for stopped in summary.stoppedApps {
                try await sessions.use {
                    try await RunLedger(connection: $0).stop(stopped.app, of: run, because: stopped.message)
                }
            }
            return summary
        } conclude: { _, _, summary, _ in
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
