// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import TestSupport
import Testing

@testable import Nightly

/// What a run keeps of its figures.
@Suite struct RunFiguresTests {
    /// 2026-03-10T02:15:00Z.
    private static let now = Instant(micros: 1_773_108_900_000_000)

    @Test
    func `unknown values that the stores reported are counted over chunks, whatever their names`() async throws {
        try await withLedgerDatabase { connection, _ in
            let app = AppID("acme-ios")
            let ledger = RunLedger(connection: connection)
            var options = NightlyOptions(now: Self.now, reportDirectory: "/nowhere", timeZone: .utc)
            options.reports = false
            let run = try await ledger.open(.nightly, apps: [app], now: Self.now, businessDate: options.businessDate)
            let name = #"unknown_value.order.say "hi"\n"# + "\u{1}"
            for (chunk, times) in [(1, 2), (2, 3)] as [(Int64, Int64)] {
                try await connection.execute(
                    Statement(
                        name: "chunk",
                        text: """
                            insert into subledger.run_chunks (
                                run_id, chunk_no, app_id, subscription_keys, state, expected, staged, changed, counts)
                            values ($1, $2, $3, '{1}', 'done', 0, 0, 0, $4)
                            """),
                    [
                        .int(run.id), .int(chunk), PostgresValue(app),
                        PostgresValue(counts: ["checked": 5, name: times, "unknown_value.status=\(chunk)": 1]),
                    ])
            }
            let ending = try await RunFinalizer(
                connection: connection, run: run, options: options, stops: [:], late: [],
                askedApps: 1, hasManyFailedChecks: false,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ).finalize(seal: try await ledger.seal(run))
            try await ledger.finish(run, outcome: ending.outcome, counts: ending.counts)
            let summary = ending.value
            #expect(summary.counts["checked"] == 10 && summary.counts[name] == 5)
            #expect(summary.counts["unknown_value.status=1"] == 1 && summary.counts["unknown_value.status=2"] == 1)
            let recorded = Statement(name: "kept", text: "select counts ->> $1 as times from subledger.runs")
            let row = try await connection.query(recorded, [.text(name)]).first
            #expect(try row?.string("times") == "5")
        }
    }
}
