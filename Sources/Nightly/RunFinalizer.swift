// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Finalizes a sealed night: counts what it did, writes its reports, clears what is too old to keep.
struct RunFinalizer {
    let connection: PostgresConnection
    let run: Run
    let options: NightlyOptions
    /// Apps that their store stopped, and how many were asked.
    let stops: [AppID: StoreFailure]
    /// Those of them whose store answered until it went down, or the time was over: they have finished, late.
    let late: Set<AppID>
    let askedApps: Int
    /// So many checks failed that somebody must see to it.
    let hasManyFailedChecks: Bool
    let logger: Logger

    func finalize(seal: Int64) async throws -> RunEnding<RunSummary> {
        let ledger = RunLedger(connection: connection, leaseSeconds: options.leaseSeconds)
        let counts = try await ledger.figures(of: run).merging(try await ledger.unknownValues(of: run)) { $1 }
        var summary = RunSummary(
            runID: run.id, businessDate: options.businessDate, result: result(isClean: true), counts: counts,
            revenue: try await revenue(), stoppedApps: stops.map { ($0.key, $0.value.message) }.sorted { $0.0 < $1.0 },
            reportPath: nil)
        var areBooksClosed = true
        if options.reports, summary.outcome == .failed {
            logger.warning(
                "no app finished: the report of \(options.businessDate) is left to the next night that finishes one")
        } else if options.reports {
            let written = try await NightReports(connection: connection, options: options, logger: logger)
                .write(run, seal: seal)
            summary.reportPath = written.path
            areBooksClosed = written.isComplete
        }
        try await clearArchive()
        let isClean =
            summary.counts["dead_letters"] ?? 0 == 0 && areBooksClosed && !hasManyFailedChecks && late.isEmpty
        summary.result = result(isClean: isClean)
        return RunEnding(summary, outcome: summary.outcome, counts: summary.counts)
    }

    private func result(isClean: Bool) -> RunResult {
        RunResult(unfinished: stops.filter { !late.contains($0.key) }.map(\.value), of: askedApps, isClean: isClean)
    }

    /// Answers that changed nothing, and what waits in the inboxes no more, once they are too old to keep.
    private func clearArchive() async throws(PostgresError) {
        let retainedFrom = PostgresValue(run.now - options.archiveRetention)
        for statement in [
            SQL.Pipeline.clearAnswers, SQL.Pipeline.clearNotifications, SQL.Pipeline.clearPurchases,
            SQL.Pipeline.clearSales,
        ] {
            try await connection.execute(statement, [retainedFrom])
        }
    }

    private func revenue() async throws(PostgresError) -> [RunSummary.Revenue] {
        var revenue: [RunSummary.Revenue] = []
        for row in try await connection.query(SQL.Pipeline.runRevenue, [.int(run.id)]) {
            revenue.append(
                RunSummary.Revenue(
                    currency: try row.string("currency"), charges: try row.int64("charges"),
                    grossMicros: try row.int64("gross_micros"), refundedMicros: try row.int64("refunded_micros")))
        }
        return revenue
    }
}
