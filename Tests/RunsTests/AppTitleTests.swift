// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import SQLCatalog
import TestSupport
import Testing

/// What people call an app is a dated fact: the first seal after the configuration says so records it.
@Suite struct AppTitleTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)

    /// Seals a run of another app than the one that is named: what is configured counts for all.
    private static func seal(_ connection: PostgresConnection, titled title: String?, hours: Int64) async throws {
        try await connection.script(
            "update subledger.apps set title = \(title.map { "'\($0)'" } ?? "null") where app_id = 'acme-receipts'")
        let now = now + .hours(hours)
        let ledger = RunLedger(connection: connection)
        let run = try await ledger.open(
            .nightly, apps: [AppID("acme-ios")], now: now,
            businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
        _ = try await ledger.seal(run)
        try await ledger.finish(run, outcome: .done, counts: [:])
    }

    @Test func `a seal has the titles that were configured when it was given, and an unchanged one is recorded once`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            let titles = [nil, "Acme", "Acme", "Acme for robots", nil]
            for (hours, title) in titles.enumerated() {
                try await Self.seal(connection, titled: title, hours: Int64(hours))
            }
            var seen: [String?] = []
            for seal in 1...titles.count {
                let rows = try await connection.query(SQL.Reports.Page.appTitles, [.int(Int64(seal))])
                #expect(rows.count <= 1)
                seen.append(try rows.first?.string("title"))
            }
            #expect(seen == titles)
            #expect(try await connection.lines("select count(*) as n from subledger.app_titles") == ["3"])
        }
    }
}
