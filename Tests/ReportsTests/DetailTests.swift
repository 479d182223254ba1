// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import Reports

/// The rows of the Detail sheet: each transaction as a seal knew it.
@Suite struct DetailTests {
    /// Some columns of every row.
    private func detail(
        _ world: ReportWorld, seal: Int64, from first: String, through last: String, zone: String = "UTC",
        limit: Int64 = 100, of columns: [String] = ["transaction_id", "price", "refund"]
    ) async throws -> [String] {
        try await world.connection.withTransaction(.repeatableRead) { connection in
            let session = SessionTables(
                connection: connection, request: try world.request(seal: seal, zone: zone))
            try await session.show()
            try await session.show(from: "-infinity", through: last)
            try await connection.execute(SQL.Reports.Manifest.detail, [.date(first), .int(limit)])
            let rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
            try await connection.execute(SQL.Reports.Manifest.closeRows)
            return try rows.map { row in
                #expect(row.texts.count == WorkbookDetail.columns.count)
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
}
