// SPDX-License-Identifier: Apache-2.0

import Imports
import TestSupport
import Testing

/// `import products` against a real database: products, their base plans and their periods.
@Suite struct ProductImportTests {
    @Test func `products: good lines go in, bad ones are named`() async throws {
        try await withLedgerDatabase { connection, database in
            let outcome = try await ReferenceLists.take(
                """
                app_id,product_id,period,subscription_group,level,valid_from
                acme-ios,monthly,P1M,g1,2,
                acme-ios,yearly,P1Y,g1,1,2026-01-01
                nope,monthly,P1M,,,
                acme-ios,weekly,1 week,,,
                acme-ios,weekly,P,,,
                acme-ios,weekly,P1W,,0,
                acme-ios,,P1W,,,
                acme-ios,weekly,P1W,,,01.02.2026
                """, as: .products, database)
            #expect(outcome.good == 2 && outcome.new == 2 && outcome.notes.isEmpty)
            #expect(
                ReferenceLists.said(outcome.bad) == [
                    "4: unknown app `nope`", "5: bad period `1 week`: an ISO 8601 duration such as P1M, P1W or P1Y",
                    "6: bad period `P`: an ISO 8601 duration such as P1M, P1W or P1Y",
                    "7: bad level `0`: 1 is the highest of its group", "8: missing product_id",
                    "9: bad date `01.02.2026` in valid_from: write 2026-03-01",
                ])
            #expect(
                try await connection.lines(
                    "select app_id, product_id, period, subscription_group, level, valid_from, recorded_run_id, base_plan_id from subledger.products order by product_id"
                ) == [
                    "acme-ios|monthly|P1M|g1|2|-infinity|1|", "acme-ios|yearly|P1Y|g1|1|2026-01-01|1|",
                ])
            #expect(
                try await connection.lines("select job, outcome, seal, counts ->> 'bad_lines' from subledger.runs") == [
                    "import|partial|1|6"
                ])
        }
    }

    @Test func `B7: a product's base plans are rows of their own; the same product without one is any`() async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(
                "insert into subledger.apps (app_id, store) values ('acme-android', 'google_play')")
            let file = """
                app_id,product_id,period,base_plan_id
                acme-android,gold,P1M,
                acme-android,gold,P1M,monthly
                acme-android,gold,P1Y,yearly
                """
            let outcome = try await ReferenceLists.take(file, as: .products, database)
            #expect(outcome.good == 3 && outcome.new == 3 && outcome.bad.isEmpty)
            #expect(try await ReferenceLists.take(file, as: .products, database).new == 0)
            let corrected = try await ReferenceLists.take(
                "app_id,product_id,period,base_plan_id\nacme-android,gold,P3M,yearly\n", as: .products,
                database
            )
            #expect(ReferenceLists.said(corrected.notes) == ["2: replaces P1Y"])
            #expect(
                try await connection.lines(
                    """
                    select distinct on (base_plan_id) base_plan_id, period from subledger.products
                    order by base_plan_id, recorded_run_id desc
                    """) == ["|P1M", "monthly|P1M", "yearly|P3M"])
        }
    }

    @Test
    func `periods are ISO 8601 durations: each unit once, from longest to shortest, none of them zero`() async throws {
        try await withLedgerDatabase { connection, database in
            let (good, bad) = (
                ["P1Y", "P6M", "P2W", "P999Y999M999W9999D"],
                ["P0M", "P1M1Y", "P01M", "P1000M", "PT1H", "P1", "p1m", "1M"]
            )
            let lines = (good + bad).enumerated().map { "acme-ios,p\($0),\($1)" }.joined(separator: "\n")
            let outcome = try await ReferenceLists.take(
                "app_id,product_id,period\n" + lines, as: .products, database)
            #expect(outcome.good == good.count && outcome.bad.map(\.number) == Array(6..<(6 + bad.count)))
        }
    }
}
