// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// The reports equal another implementation of their definitions, for random populations, zones and orders of refunds.
@Suite struct PlainBooksTests {
    static let cases: [(seed: UInt64, zone: String)] = [
        (1, "UTC"), (2, "America/Los_Angeles"), (3, "Europe/Berlin"), (4, "store"), (5, "Asia/Tokyo"), (6, "UTC"),
    ]

    @Test(arguments: cases.indices)
    func theReportsEqualAnotherImplementation(number: Int) async throws {
        try await Self.compare(seed: Self.cases[number].seed, zone: Self.cases[number].zone)
    }

    private static func compare(seed: UInt64, zone: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-30")
            let history = RandomHistory(seed: seed, lineages: 40)
            try await write(history, refundsFirst: seed % 2 == 0, to: world)
            let plain = try await read(from: world)
            let timeZone = try #require(TimeZone(identifier: zone == "store" ? "America/Los_Angeles" : zone))
            let expected = plain.days(
                from: Date(timeIntervalSince1970: 1_756_500_000), through: Date(timeIntervalSince1970: 1_780_000_000),
                zone: timeZone)
            #expect(expected.bridge.count > 500 && expected.active.count > 500)
            let last = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day().format(
                Date(timeIntervalSince1970: 1_780_000_000))
            try await expectSame(expected.bridge, try await bridge(world, through: last, zone: zone), "bridge")
            try await expectSame(expected.active, try await active(world, through: last, zone: zone), "active")
            let failed = try await world.failedChecks().filter { $0.contains("mrr") || $0.contains("subscribers") }
            #expect(failed.isEmpty)
        }
    }

    private static func expectSame(_ expected: [String], _ found: [String], _ what: String) async throws {
        let missing = Set(expected).subtracting(found).sorted().prefix(5)
        let surplus = Set(found).subtracting(expected).sorted().prefix(5)
        #expect(missing.isEmpty, "\(what) lacks")
        #expect(surplus.isEmpty, "\(what) has besides")
        #expect(expected.count == found.count)
    }

    /// A refund's image may be known before the store's word, or after everything.
    private static func write(_ history: RandomHistory, refundsFirst: Bool, to world: ReportWorld) async throws {
        for case .sale(let sale) in history.rows { try await world.sold(sale) }
        if refundsFirst { for refund in history.refunds { try await world.sold(refund) } }
        for case .word(let state, let key, let at, let recorded, let reason, let expires, let grace) in history.rows {
            try await world.became(
                state, key: key, at: RandomHistory.text(at), recorded: RandomHistory.text(recorded), reason: reason,
                expires: expires.map(RandomHistory.text), grace: grace.map(RandomHistory.text))
        }
        if !refundsFirst { for refund in history.refunds.reversed() { try await world.sold(refund) } }
    }

    private static func read(from world: ReportWorld) async throws -> PlainBooks {
        var periods: [Int64: [PlainBooks.Period]] = [:]
        let sales = try await world.connection.query(
            Statement(
                name: "sales",
                text: """
                    select distinct on (subscription_key, transaction_id) *, price_micros::text as price
                    from subledger.transaction_versions order by subscription_key, transaction_id, version desc
                    """))
        for row in sales {
            guard try row.string("environment") == "production", try row.string("ownership") == "purchased" else {
                continue
            }
            let period = try PlainBooks.Period(row)
            periods[try row.int64("lineage_key"), default: []].append(period)
        }
        let words = try await world.connection.query(
            Statement(
                name: "words", text: "select * from subledger.state_changes order by subscription_key, change_id"))
        return PlainBooks(periods: periods, words: try words.map { try PlainBooks.Word($0) })
    }

    private static func bridge(_ world: ReportWorld, through: String, zone: String) async throws -> [String] {
        let parts = ReportWorld.buckets.sorted().enumerated().map { "(\($0.offset), '\($0.element)', \($0.element))" }
        return try await world.connection.lines(
            """
            select concat_ws(' ', date, product_id, currency, opening, (
                select string_agg(name || '=' || amount, ' ' order by place)
                from (values \(parts.joined(separator: ", "))) part (place, name, amount) where amount <> 0
            ), closing) as line
            from report.mrr_bridge_as_of(1, '-infinity', $1, $2)
            """, [.date(through), .text(zone)]
        ).sorted()
    }

    private static func active(_ world: ReportWorld, through: String, zone: String) async throws -> [String] {
        try await world.connection.lines(
            """
            select concat_ws(' ', date, product_id, active) as line
            from report.subscribers_as_of(1, '-infinity', $1, $2) where active > 0
            """, [.date(through), .text(zone)]
        ).sorted()
    }
}

extension PlainBooks.Period {
    fileprivate init(_ row: PostgresRow) throws {
        let kind = try row.string("kind")
        let price = try row.optionalString("price").flatMap { Int64($0) }
        self.init(
            key: try row.int64("subscription_key"), id: try row.string("transaction_id"),
            product: try row.string("product_id"), kind: kind, isPaid: kind != "trial" && price != 0,
            start: try row.instant("period_start").date, statedEnd: try row.instant("period_end").date, price: price,
            currency: try row.optionalString("currency"), refundedAt: try row.optionalInstant("refunded_at")?.date,
            isRevocation: try row.optionalString("refund_kind") == "revoke", isSuperseded: try row.bool("is_upgraded"))
    }
}

extension PlainBooks.Word {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            key: try row.int64("subscription_key"), recorded: try row.instant("recorded_at").date,
            state: try row.string("state"), reason: try row.optionalString("end_reason"),
            expires: try row.optionalInstant("expires_at")?.date,
            grace: try row.optionalInstant("grace_expires_at")?.date)
    }
}
