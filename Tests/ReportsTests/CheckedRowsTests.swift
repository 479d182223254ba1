// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import Reports

/// Which rows the checks look at: what a night touched and a thirtieth of the others, or everything.
///
/// 2026-02-21 is 9548 days after 2000-01-01, which leaves 8 of thirty: on that date those of the keys 8, 38 and so on have
/// their turn, on the next one 9 and 39.
@Suite struct CheckedRowsTests {
    /// Forty subscriptions, learned by the first run; the twelfth continues the lineage of the fourth.
    private static func history(_ world: ReportWorld) async throws {
        try await world.night(1, for: "2026-02-20")
        for key in 1...40 as ClosedRange<Int64> {
            var sale = Sale(key: key, id: "t\(key)", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
            if key == 12 { (sale.lineage, sale.from, sale.to) = (4, "2026-01-01 12:00Z", "2026-02-01 12:00Z") }
            try await world.charged(sale)
            try await world.became("active", key: key, at: sale.from, expires: sale.to)
        }
        try await world.connection.script("alter table subledger.ledger_entries disable trigger all")
    }

    /// The fourth is refunded in part: the second run learns it.
    private static func refund(_ world: ReportWorld) async throws {
        var sale = Sale(key: 4, id: "t4", from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z")
        (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-02-21 12:00Z", "partial", 1_000_000)
        try await world.sold(sale, seal: 2)
        try await world.booked("refund", -1_000_000, at: "2026-02-21 12:00Z", of: sale, seal: 2)
    }

    private static func breakTax(_ world: ReportWorld, of key: Int64, to tax: Int64? = 1) async throws {
        try await world.connection.execute(
            Statement(
                name: "break", text: "update subledger.ledger_entries set tax_micros = $2 where subscription_key = $1"),
            [.int(key), PostgresValue(tax)])
    }

    private static func issue(
        _ world: ReportWorld, _ seal: Int64, _ date: String, _ directory: String, _ upkeep: TableUpkeep = .movedOn
    ) async throws -> [String] {
        let issued = try await ReportStage().issue(
            on: world.connection,
            request: ReportRequest(
                seal: seal, runID: seal, businessDate: try #require(BusinessDate(date)),
                asOf: try #require(Instant(iso8601: "\(date)T23:00:00Z")), directory: directory, upkeep: upkeep))
        return issued.checks.filter { !$0.passed }.map(\.name)
    }

    private static func subscriptions(_ world: ReportWorld, _ seal: Int64, _ date: String) async throws -> [Int64]? {
        try await world.connection.query(
            SQL.Reports.Manifest.subscriptionsToCheck, [.int(seal), .date(date)]
        ).first?.optionalInt64Array("subscriptions")?.sorted()
    }

    private static func remember(_ world: ReportWorld, _ seal: Int64) async throws {
        try await world.connection.execute(SQL.Reports.Manifest.rememberChecks, [.int(seal), true])
    }

    @Test func aNightLooksAtWhatItTouchedWithItsLineageAndAtAThirtieth() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            #expect(try await Self.subscriptions(world, 1, "2026-02-20") == nil)
            try await Self.remember(world, 1)
            // Asked again for the same night: what it touched is everything.
            #expect(try await Self.subscriptions(world, 1, "2026-02-20") == nil)
            try await world.night(2, for: "2026-02-21")
            try await Self.refund(world)
            #expect(try await Self.subscriptions(world, 2, "2026-02-21") == [4, 8, 12, 38])
            try await Self.remember(world, 2)
            // A report that is asked for by day looks again at what the night wrote.
            try await world.night(3, for: "2026-02-22")
            try await world.connection.script("update subledger.runs set job = 'report' where seal = 3")
            #expect(try await Self.subscriptions(world, 3, "2026-02-22") == [4, 9, 12, 39])
        }
    }

    @Test func aBrokenRowAmongTheTouchedIsFoundTheSameNightAndUntilItIsMended() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                #expect(try await Self.issue(world, 1, "2026-02-20", directory).isEmpty)
                #expect(try await world.connection.lines("select seal from report.checked") == ["1"])
                try await world.night(2, for: "2026-02-21")
                try await Self.refund(world)
                try await Self.breakTax(world, of: 4)
                let found = try await Self.issue(world, 2, "2026-02-21", directory)
                #expect(found == ["ledger_tax_equals_transaction"])
                // Nothing touches it any more, and it is not its turn.
                try await world.night(3, for: "2026-02-22")
                #expect(try await Self.issue(world, 3, "2026-02-22", directory) == found)
                try await Self.breakTax(world, of: 4, to: nil)
                #expect(try await Self.issue(world, 3, "2026-02-22", directory).isEmpty)
                #expect(try await world.connection.lines("select seal from report.checked") == ["3"])
            }
        }
    }

    @Test func aBrokenRowElsewhereIsFoundAtOnceByARebuild() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await Self.history(world)
                #expect(try await Self.issue(world, 1, "2026-02-20", directory).isEmpty)
                try await world.night(2, for: "2026-02-21")
                try await Self.refund(world)
                try await Self.breakTax(world, of: 17)
                #expect(try await Self.issue(world, 2, "2026-02-21", directory).isEmpty)
                let found = ["ledger_tax_equals_transaction"]
                #expect(try await Self.issue(world, 2, "2026-02-21", directory, .rebuilt) == found)
                // It stays found, though no night touches it: everything is looked at until the books close.
                try await world.night(3, for: "2026-02-22")
                #expect(try await Self.issue(world, 3, "2026-02-22", directory) == found)
                // The report of an earlier seal is reckoned from the whole history, and so are its checks.
                #expect(try await Self.issue(world, 1, "2026-02-20", directory, .leftAlone) == found)
            }
        }
    }

    @Test func aBrokenRowElsewhereIsFoundWithinThirtyNights() async throws {
        try await ReportWorld.with { world in
            try await Self.history(world)
            try await Self.remember(world, 1)
            try await Self.breakTax(world, of: 17)
            let check = try #require(ReportCatalog.checks.first { $0.name == "ledger_tax_equals_transaction" })
            var (lookedAt, findings): (Set<Int64>, [String]) = ([], [])
            let days = (21...28).map { "2026-02-\($0)" } + (1...22).map { "2026-03-\($0 < 10 ? "0" : "")\($0)" }
            for (seal, day) in zip(Int64(2)..., days) {
                try await world.night(seal, for: day)
                let keys = try #require(try await Self.subscriptions(world, seal, day))
                #expect(keys.count <= 3)
                lookedAt.formUnion(keys)
                let rows = try await world.connection.query(check.query, [.int(seal), .intArray(keys)])
                for row in rows { findings.append("\(day) \(try row.string("subject"))") }
                try await Self.remember(world, seal)
            }
            #expect(lookedAt == Set(1...40))
            // Nine days after the turn of 8.
            #expect(findings == ["2026-03-02 t17 tax"])
        }
    }
}
