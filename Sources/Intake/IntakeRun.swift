// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
package import Runs
internal import Stores

/// Intake: looks at the purchases that the backend handed in, app by app, and assesses each. What is accepted is
/// registered and booked in the same transaction as its verdict; what cannot be assessed now waits for the next run.
package struct IntakeRun: Sendable {
    package struct Options: Sendable {
        /// The run's logical clock.
        package var now: Instant
        package var businessDate: BusinessDate
        /// Purchases that are assessed and written together.
        package var roundSize: Int64 = 200
        /// How an open run of these apps is waited for.
        package var waiting = RunWaiting()
        /// How long a leader that stopped renewing is still taken for alive, in seconds.
        package var leaseSeconds = RunLedger.leaseSeconds

        package init(now: Instant, businessDate: BusinessDate) {
            self.now = now
            self.businessDate = businessDate
        }
    }

    private let connection: PostgresConnection
    private let database: PostgresConfiguration
    private let apps: [StoreApp]
    private let options: Options
    private let logger: Logger

    /// - Parameter connection: to the database, whose schema is this program's.
    package init(
        connection: PostgresConnection, database: PostgresConfiguration, apps: [StoreApp], options: Options,
        logger: Logger
    ) {
        self.connection = connection
        self.database = database
        self.apps = apps
        self.options = options
        self.logger = logger
    }

    /// Throws `PipelineError` or `PostgresError`; what an app's store refuses is in the summary instead.
    package func run() async throws -> IntakeSummary {
        let ledger = RunLedger(
            connection: connection, leaseSeconds: options.leaseSeconds, waiting: options.waiting)
        let request = RunRequest(
            .intake, apps: apps.map(\.id), now: options.now, businessDate: options.businessDate)
        return try await ledger.withRun(request, on: database, logger: logger, ifBroken: .resumable) { run in
            try await work(run, ledger)
        } conclude: { run, _, worked in
            try await conclude(run, ledger, worked)
        }
    }

    /// What the apps' purchases came to, and which apps could not be finished.
    private struct Worked: Sendable {
        var summary: IntakeSummary
        var stops: [AppID: StoreFailure]
        var late: Set<AppID>
    }

    /// Looks at the purchases of every app.
    private func work(_ run: Run, _ ledger: RunLedger) async throws -> Worked {
        var summary = IntakeSummary(runID: run.id)
        var stops: [AppID: StoreFailure] = [:]
        for app in apps {
            stops[app.id] = try await AppIntake(
                app: app, run: run, connection: connection, roundSize: options.roundSize, logger: logger
            ).work(into: &summary)
            let tally = summary.tallies[app.id, default: IntakeSummary.Tally()]
            try await ledger.setDue(tally.accepted + tally.refused + tally.waiting, of: app.id, in: run)
        }
        // What was answered until the store went down is done: such an app has finished, late.
        let late = Set(
            stops.filter { $0.value.kind == .storeDown && summary.tallies[$0.key]?.isAnswered == true }.keys)
        for (app, failure) in stops.sorted(by: { $0.key < $1.key }) {
            try await ledger.stop(app, of: run, because: failure.message, isLate: late.contains(app))
            summary.stoppedApps.append((app, failure.message))
        }
        return Worked(summary: summary, stops: stops, late: late)
    }

    private func conclude(
        _ run: Run, _ ledger: RunLedger, _ worked: Worked
    ) async throws -> RunEnding<IntakeSummary> {
        var summary = worked.summary
        let deadLetters = try await ledger.figures(of: run)["dead_letters"] ?? 0
        summary.result = RunResult(
            unfinished: worked.stops.filter { !worked.late.contains($0.key) }.map(\.value), of: apps.count,
            isClean: deadLetters == 0 && worked.late.isEmpty)
        var counts = summary.counts
        counts["dead_letters"] = deadLetters
        return RunEnding(summary, outcome: summary.outcome, counts: counts)
    }
}
