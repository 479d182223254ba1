// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Postgres
import SQLCatalog
import Stores

/// The end of a run whose chunks are worked off: sealed, counted, reported, finished.
struct Conclusion {
    let connection: PostgresConnection
    let ledger: RunLedger
    let run: Run
    let options: NightlyOptions
    /// Apps that their store stopped, and how many were asked.
    let stops: [AppID: StoreFailure]
    let askedApps: Int
    /// So many checks came to nothing that somebody must see to it.
    let isMuchInVain: Bool
    let logger: Logger

    func conclude() async throws -> RunSummary {
        let seal = try await ledger.seal(run)
        var summary = RunSummary(
            runID: run.id, businessDate: options.businessDate, outcome: .done, counts: try await counts(),
            revenue: try await revenue(), stoppedApps: stops.map { ($0.key, $0.value.message) }.sorted { $0.0 < $1.0 },
            reportPath: nil)
        var areBooksClosed = true
        if options.reports {
            let written = try await NightReports(connection: connection, options: options, logger: logger)
                .write(run, seal: seal)
            summary.reportPath = written.path
            areBooksClosed = written.isComplete
        }
        try await clearArchive()
        summary.outcome = outcome(deadLetters: summary.counts["dead_letters"] ?? 0, areBooksClosed: areBooksClosed)
        try await ledger.finish(run, outcome: summary.outcome, counts: summary.counts)
        return summary
    }

    /// Answers that changed nothing, and what waits in the inboxes no more, once they are too old to keep.
    private func clearArchive() async throws(PostgresError) {
        let keptFrom = PostgresValue(run.now - options.archiveKeep)
        for statement in [
            SQL.Pipeline.clearAnswers, SQL.Pipeline.clearNotifications, SQL.Pipeline.clearPurchases,
            SQL.Pipeline.clearSales,
        ] {
            try await connection.execute(statement, [keptFrom])
        }
    }

    private func outcome(deadLetters: Int64, areBooksClosed: Bool) -> RunSummary.Outcome {
        if !stops.isEmpty && stops.count >= askedApps { return .failed }
        return stops.isEmpty && deadLetters == 0 && areBooksClosed && !isMuchInVain ? .done : .partial
    }

    private func counts() async throws(PostgresError) -> [String: Int64] {
        guard let row = try await connection.query(SQL.Pipeline.runFigures, [.int(run.id)]).first else { return [:] }
        var counts: [String: Int64] = [:]
        let names = [
            "due", "checked", "discovered", "unread", "changed", "renewed", "ended", "refunded", "dead_letters",
        ]
        for name in names { counts[name] = try row.int64(name) }
        for row in try await connection.query(SQL.Pipeline.runOddities, [.int(run.id)]) {
            counts[try row.string("name")] = try row.int64("times")
        }
        return counts
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
