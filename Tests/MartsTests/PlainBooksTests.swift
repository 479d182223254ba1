// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import ReportSupport

/// The reports equal another implementation of their definitions, for random populations, zones and orders of refunds.
@Suite struct PlainBooksTests {
    /// Zones without and with changes of the clock: by an hour, by half an hour, at midnight; and each store's own.
    static let zones = [
        "UTC", "America/Los_Angeles", "Europe/Berlin", "store", "Asia/Tokyo", "Australia/Lord_Howe", "America/Santiago",
        "store",
    ]

    @Test(arguments: UInt64(1)...32)
    func `the reports equal another implementation of their definitions`(seed: UInt64) async throws {
        try await Self.compare(seed: seed, zone: Self.zones[Int(seed) % Self.zones.count])
    }

    private static func compare(seed: UInt64, zone: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-30")
            var history = RandomHistory(seed: seed, lineages: 12)
            if seed % 3 != 0 { try await list(world, changed: seed % 2 == 0) }
            try await write(history.shuffled(), to: world)
            let plain = try await read(from: world)
            // 10:00 UTC on the 28th of May, which is that day in every one of the zones.
            let end = Date(timeIntervalSince1970: 1_779_962_400)
            let expected = try plain.days(
                from: Date(timeIntervalSince1970: 1_756_500_000), through: end,
                zone: zones(of: zone))
            #expect(expected.bridge.count > 200 && expected.active.count > 200 && expected.churn.count > 200)
            let last = "2026-05-28"
            let title = "seed \(seed), \(zone): "
            let found = try await world.reported(
                each: [bridge, active, churn], through: last, zone: zone)
            try await expectSame(expected.bridge, found[0].sorted(), title + "bridge")
            try await expectSame(expected.active, found[1].sorted(), title + "active")
            try await expectSame(expected.churn, found[2].sorted(), title + "churn")
            let failed = try await world.failedChecks().filter { !$0.contains("ledger") && !$0.contains("revenue") }
            #expect(failed.filter { $0 != "every_charge_has_one_entry" && $0 != "no_overlapping_paid_periods" }.isEmpty)
        }
    }

    private static func zones(of zone: String) throws -> (String) -> TimeZone {
        let (apple, google) = zone == "store" ? ("America/Los_Angeles", "UTC") : (zone, zone)
        let zones = (try #require(TimeZone(identifier: apple)), try #require(TimeZone(identifier: google)))
        return { $0 == "app_store" ? zones.0 : zones.1 }
    }

    /// Some products are in the catalogue, one with a length that is not its own; one of them changes on 1 November 2025.
    private static func list(_ world: ReportWorld, changed: Bool) async throws {
        try await world.product("monthly", "P1M")
        try await world.product("weekly", "P7D")
        try await world.product("quarterly", "P2M")
        try await world.product("play-yearly", "P1Y")
        if changed { try await world.product("weekly", "P2W", from: "2025-11-01") }
    }

    private static func expectSame(_ expected: [String], _ found: [String], _ what: String) async throws {
        let missing = Set(expected).subtracting(found).sorted().prefix(5)
        let surplus = Set(found).subtracting(expected).sorted().prefix(5)
        #expect(missing.isEmpty, "\(what) lacks")
        #expect(surplus.isEmpty, "\(what) has besides")
        #expect(expected.count == found.count)
    }

    private static func write(_ rows: [RandomHistory.Row], to world: ReportWorld) async throws {
        for row in rows {
            switch row {
            case .sale(let sale): try await world.sold(sale)
            case .word(let state, let key, let at, let recorded, let reason, let expires, let grace):
                try await world.became(
                    state, key: key, at: RandomHistory.text(at), recorded: RandomHistory.text(recorded),
                    reason: reason, expires: expires.map(RandomHistory.text), grace: grace.map(RandomHistory.text))
            }
        }
    }

    private static func read(from world: ReportWorld) async throws -> PlainBooks {
        var periods: [Int64: [PlainBooks.Period]] = [:]
        let sales = try await world.connection.query(
            Statement(
                name: "sales",
                text: """
                    select *, price_micros::text as price from subledger.transactions
                    order by subscription_key, transaction_id
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
        return PlainBooks(
            periods: periods, words: try words.map { try PlainBooks.Word($0) }, catalogue: try await catalogue(world))
    }

    private static func catalogue(_ world: ReportWorld) async throws -> [PlainBooks.Length] {
        let lengths: [String: (months: Int, days: Int)] = [
            "P1M": (1, 0), "P2M": (2, 0), "P1Y": (12, 0), "P7D": (0, 7), "P2W": (0, 14),
        ]
        let rows = try await world.connection.query(
            Statement(
                name: "catalogue",
                text: """
                    select product_id, period, case when isfinite(valid_from) then valid_from - date '1970-01-01' end as day
                    from subledger.products order by valid_from
                    """))
        return try rows.map { row in
            let length = try #require(lengths[try row.string("period")])
            return PlainBooks.Length(
                product: try row.string("product_id"), from: try row.optionalInt("day") ?? .min, months: length.months,
                days: length.days)
        }
    }

    private static var bridge: String {
        let parts = ReportWorld.buckets.sorted().enumerated().map { "(\($0.offset), '\($0.element)', \($0.element))" }
        return """
            select concat_ws(' ', date, product_id, currency, opening, (
                select string_agg(name || '=' || amount, ' ' order by place)
                from (values \(parts.joined(separator: ", "))) part (place, name, amount) where amount <> 0
            ), closing) as line
            from mrr_bridge
            """
    }

    private static let active =
        "select concat_ws(' ', date, product_id, active) as line from subscribers where active > 0"

    private static let churn = """
        select concat_ws(' ', date, product_id, opening, voluntary, involuntary, price, product, refund, other,
            lapsed, came_and_went) as line
        from churn
        """
}

extension PlainBooks.Period {
    fileprivate init(_ row: PostgresRow) throws {
        let (kind, store) = (try row.string("kind"), try row.string("store"))
        let isChange = ["upgrade", "downgrade", "crossgrade"].contains(kind)
        let price = try row.optionalString("price").flatMap { Int64($0) }
        self.init(
            key: try row.int64("subscription_key"), id: try row.string("transaction_id"), store: store,
            product: try row.string("product_id"), kind: kind,
            isPaid: kind != "trial" && (price != 0 || (store == "google_play" && isChange)),
            isOffer: try row.optionalString("offer_type") != nil, purchasedAt: try row.instant("purchased_at").date,
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
