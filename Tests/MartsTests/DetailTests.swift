// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// The rows of the Detail sheet, the newest of the view `report.transactions`: each transaction as a seal knew it.
@Suite struct DetailTests {
    /// Some columns of every row.
    private func detail(
        _ world: ReportWorld, seal: Int64, from first: String, through last: String, zone: String = "UTC",
        limit: Int64 = 100, of columns: [String] = ["transaction_id", "price", "refund"]
    ) async throws -> [String] {
        try await world.connection.withTransaction(.repeatableRead) { connection in
            let session = SessionTables(
                connection: connection, request: try world.request(seal: seal, zone: zone))
            try await session.defineViews()
            try await session.scopeSession(from: first, through: last)
            try await connection.execute(SQL.Reports.Analysis.Transactions.sheet, [.int(limit)])
            let rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
            try await connection.execute(SQL.Reports.Manifest.closeRows)
            let shape = try await ReportShape.read("transactions", on: connection)
            return try rows.map { row in
                #expect(row.texts.count == shape.columns.count)
                return try columns.map { try row.optionalString($0) ?? "" }.joined(separator: "|")
            }
        }
    }

    @Test func `a row is the one its seal knew, whatever was learned since`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.night(2, for: "2026-02-07")
            var sale = Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z")
            try await world.sold(sale, seal: 1)
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-06 12:00Z", "partial", 1_000_000)
            try await world.sold(sale, seal: 2)
            try await world.run("update subledger.transactions set changed_run_id = 2", [])
            try await world.sold(Sale(key: 2, id: "t2", from: "2026-02-06 12:00Z", to: "2026-03-06 12:00Z"), seal: 2)
            let window = (from: "2026-01-01", through: "2026-02-07")
            #expect(
                try await detail(world, seal: 1, from: window.from, through: window.through) == ["t1|9.990000|"])
            #expect(
                try await detail(world, seal: 2, from: window.from, through: window.through) == [
                    "t1|9.990000|1.000000", "t2|9.990000|",
                ])
        }
    }

    @Test func `days are the report's, and a late refund brings its sale back`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            for (key, from) in [(1, "2026-02-01 07:59Z"), (2, "2026-02-01 08:00Z"), (3, "2026-02-07 07:59Z")] {
                try await world.sold(Sale(key: Int64(key), id: "t\(key)", from: from, to: "2026-05-05 12:00Z"))
            }
            try await world.sold(Sale(key: 4, id: "t4", from: "2026-02-07 08:00Z", to: "2026-05-05 12:00Z"))
            var late = Sale(key: 5, id: "late", from: "2025-02-01 12:00Z", to: "2025-03-01 12:00Z")
            (late.refundedAt, late.refundKind, late.refund) = ("2026-02-03 12:00Z", "full", 9_990_000)
            try await world.sold(late)
            #expect(
                try await detail(world, seal: 1, from: "2026-02-01", through: "2026-02-06", zone: "store") == [
                    "t3|9.990000|", "late|9.990000|9.990000", "t2|9.990000|",
                ])
            #expect(
                try await detail(world, seal: 1, from: "2026-02-01", through: "2026-02-06", zone: "store", limit: 1)
                    == ["t3|9.990000|"])
            // The second newest is found among what was paid back, not among what was bought.
            #expect(
                try await detail(world, seal: 1, from: "2026-02-01", through: "2026-02-06", zone: "store", limit: 2)
                    == ["t3|9.990000|", "late|9.990000|9.990000"])
        }
    }

    @Test func `a year is billed at once or by the month, and a share of a price that went back is derived`()
        async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.product("yearly", "P1Y")
            var monthly = Sale(id: "m", product: "yearly", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
            (monthly.refundedAt, monthly.refundKind, monthly.refund) = ("2026-02-05 12:00Z", "partial", 4_995_000)
            try await world.sold(monthly)
            try await world.run(
                """
                update subledger.transactions set refund_source = 'derived' where transaction_id = 'm'
                """, [])
            try await world.sold(
                Sale(key: 2, id: "y", product: "yearly", from: "2026-02-02 12:00Z", to: "2027-02-02 12:00Z"))
            try await world.sold(
                Sale(key: 3, id: "other", product: "monthly", from: "2026-02-03 12:00Z", to: "2026-03-03 12:00Z"))
            #expect(
                try await detail(
                    world, seal: 1, from: "2026-02-01", through: "2026-02-06",
                    of: ["transaction_id", "billing_plan", "refund_source"]) == [
                        "m|monthly|derived", "other||", "y|upfront|",
                    ])
        }
    }

    /// The newest rows are looked for by index, the view reads everything: both ways are compared over nights that learn of late
    /// refunds and of lineages that turn out to be one.
    @Test(arguments: ["UTC", "store"]) func `a window has the newest rows of the view, at every seal`(zone: String)
        async throws
    {
        try await ReportWorld.with { world in
            let nights: Int64 = 8
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 11, lineages: 30), nights: nights, to: world)
            for (seal, from, through) in [
                (8, "-infinity", "2026-04-17"), (6, "-infinity", "2026-03-01"), (3, "2025-11-01", "2026-01-31"),
            ] as [(Int64, String, String)] {
                let all = try await world.reported(
                    """
                    select transaction_id, subscription_key, refund
                    from transactions
                    cross join lateral (
                        select ($1::date + 1)::timestamp
                            at time zone case when $2 = 'UTC' then 'UTC' else marts.zone_of(store, $2) end as end_at
                    ) bound
                    order by
                        greatest(purchased_at, case when refunded_at < end_at then refunded_at end) desc,
                        app_id collate "C", subscription_key, transaction_id collate "C", product_id collate "C"
                    """, [.date(through), .text(zone)], seal: seal, from: from, through: through, zone: zone)
                try #require(all.count > 30)
                for limit in [1, 7, 40, 5_000] {
                    let window = try await detail(
                        world, seal: seal, from: from, through: through, zone: zone, limit: Int64(limit),
                        of: ["transaction_id", "subscription_key", "refund"])
                    #expect(window == Array(all.prefix(limit)), "seal \(seal), \(limit) rows")
                }
            }
        }
    }

    /// Twenty thousand keys are asked for one by one: each through the table's index, not from rows that are read whole.
    @Test func `an issue that has read its reports finds a transaction by its index`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.sold(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"), seal: 1)
            let plan = try await world.connection.withTransaction(.repeatableRead) { connection in
                let session = SessionTables(
                    connection: connection, request: try world.request(seal: 1, zone: "UTC"))
                try await session.defineViews()
                try await session.scopeSession(from: "2026-01-01", through: "2026-02-06")
                try await session.materialiseReports()
                try await connection.script("set local enable_seqscan = off")
                let plan = Statement(
                    name: "plan",
                    text: """
                        explain select * from transactions
                        where subscription_key = 1 and transaction_id = 't1' and product_id = 'monthly'
                        """)
                return try await connection.query(plan).map { try $0.string("QUERY PLAN") }
            }
            #expect(plan.contains { $0.contains("Index Scan using transactions_") }, "\(plan.joined(separator: "\n"))")
            #expect(!plan.contains { $0.contains("Seq Scan on transactions") })
        }
    }

    /// What `transactions_as_of` finds among all images, for the rows of an earlier and of the newest seal.
    @Test func `the view has every transaction once, as the seal knew it`() async throws {
        try await ReportWorld.with { world in
            let nights: Int64 = 8
            for seal in 1...nights { try await world.night(seal, for: "2026-04-\(9 + seal)") }
            try await MartTablesTests.report(RandomHistory(seed: 5, lineages: 30), nights: nights, to: world)
            for seal in [2, 5, 8] as [Int64] {
                let columns = "subscription_key, transaction_id, product_id, lineage_key, refunded_at, kind, currency"
                let seen = try await world.reported(
                    "select \(columns) from transactions order by 1, 2, 3", seal: seal, through: "2099-12-31")
                let known = try await world.connection.lines(
                    "select \(columns) from subledger.transactions_as_of($1) order by 1, 2, 3", [.int(seal)])
                #expect(seen == known, "seal \(seal): \(Set(seen).symmetricDifference(known).sorted().prefix(4))")
                #expect(seen.count > 30)
            }
        }
    }
}
