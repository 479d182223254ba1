// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing
import TestSupport

@testable import ReportSupport

/// One Google Play product, sold by the month for 10.00 and by the year for 60.00: base plans of it.
///
/// Reckoned by hand.
@Suite struct BasePlanTests {
    private static let month = Sale(
        id: "m", product: "gold", from: "2026-01-05 00:00Z", to: "2026-02-05 00:00Z", price: 10_000_000,
        store: "google_play", basePlan: "monthly")
    private static let year = Sale(
        key: 2, id: "y", product: "gold", from: "2026-01-06 00:00Z", to: "2027-01-06 00:00Z", price: 60_000_000,
        store: "google_play", basePlan: "yearly")

    private static func bridge(_ sales: [Sale], _ products: [(plan: String, period: String)]) async throws -> [String] {
        var lines: [String] = []
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            for product in products { try await world.product("gold", product.period, plan: product.plan) }
            for sale in sales {
                if sale.price == 0 { try await world.sold(sale) } else { try await world.charged(sale) }
            }
            for key in Set(sales.map(\.key)) {
                try await world.became("active", key: key, at: "2026-01-06 00:00Z", autoRenew: true)
            }
            lines = try await world.bridge(through: "2026-01-31")
            #expect(try await world.failedChecks().isEmpty)
        }
        return lines
    }

    private static let right = [
        "2026-01-05 gold USD: 0.000000, new 10.000000 = 10.000000",
        "2026-01-06 gold USD: 10.000000, new 5.000000 = 15.000000",
    ]

    @Test(arguments: [[("", "P1M"), ("yearly", "P1Y")], [("", "P1M")], [("monthly", "P1M"), ("yearly", "P1Y")], []])
    func `B7: a year is worth a twelfth of its price a month, with its base plan listed or the product's month only`(
        products: [(String, String)]
    ) async throws {
        #expect(
            try await Self.bridge([Self.month, Self.year], products.map { (plan: $0.0, period: $0.1) }) == Self.right)
    }

    @Test
    func `B7: a base plan's own row counts, also where it says another length than the period's dates`() async throws {
        // Listed as two months: 10.00 ÷ 2.
        #expect(
            try await Self.bridge([Self.month], [(plan: "", period: "P1M"), (plan: "monthly", period: "P2M")]) == [
                "2026-01-05 gold USD: 0.000000, new 5.000000 = 5.000000"
            ])
    }

    /// Sold at full price in a change of plan; what was left of the old one made it 80 days, or nearly two months.
    @Test(arguments: ["2026-03-26 00:00Z", "2026-03-04 10:00Z"])
    func `B7: what a change of plan left over makes the first period longer, not cheaper`(end: String) async throws {
        let longer = Sale(
            id: "l", product: "gold", kind: "downgrade", from: "2026-01-05 00:00Z", to: end, price: 10_000_000,
            store: "google_play", basePlan: "monthly")
        #expect(
            try await Self.bridge([longer], [(plan: "", period: "P1M")]) == [
                "2026-01-05 gold USD: 0.000000, imported 10.000000 = 10.000000"
            ])
    }

    @Test func `B7: a whole year after a change of plan is worth a twelfth of its price a month`() async throws {
        var year = Self.year
        year.kind = "upgrade"
        #expect(
            try await Self.bridge([year], [(plan: "", period: "P1M")]) == [
                "2026-01-06 gold USD: 0.000000, imported 5.000000 = 5.000000"
            ])
    }

    /// Changed on the 16th to the year: what was paid for the month pays for the first days of it, and its order is of nothing.
    @Test
    func `B7: a base plan changed within a product leaves the customer one, at once at the new plan's price`()
        async throws
    {
        var old = Self.month
        old.isUpgraded = true
        let rest = Sale(
            key: 3, id: "r", product: "gold", kind: "downgrade", from: "2026-01-16 00:00Z", to: "2026-01-22 00:00Z",
            price: 0, store: "google_play", lineage: 1, recurring: 60_000_000, basePlan: "yearly")
        #expect(
            try await Self.bridge([old, rest], [(plan: "monthly", period: "P1M"), (plan: "yearly", period: "P1Y")]) == [
                "2026-01-05 gold USD: 0.000000, new 10.000000 = 10.000000",
                "2026-01-16 gold USD: 10.000000, contraction -5.000000 = 5.000000",
            ])
    }

    /// Of three months that ended on the 5th of February one gave way to the year; one went on as it was, and so did one whose
    /// plan the store does not tell.
    @Test func `B7: another base plan at the renewal is a change of plan, neither due nor renewed`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-28")
            for key in 1...3 as ClosedRange<Int64> {
                var first = Self.month
                first.key = key
                if key == 3 { first.basePlan = nil }
                var next = first
                (next.id, next.kind, next.from, next.to) = (
                    "m..0", "renewal", "2026-02-05 00:00Z", "2026-03-05 00:00Z"
                )
                if key == 1 {
                    (next.kind, next.to, next.price, next.basePlan) = (
                        "downgrade", "2027-02-05 00:00Z", 60_000_000, "yearly"
                    )
                }
                for sale in [first, next] { try await world.charged(sale) }
                try await world.became("active", key: key, at: next.from, expires: next.to, autoRenew: true)
            }
            #expect(
                try await world.reported(
                    """
                    select product_id, due, renewed, plan_changes, renewal_rate::text
                    from metrics where month = '2026-02'
                    """, through: "2026-02-28") == ["gold|2|2|1|1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// The store paid all of it in Play Points; the developer gets his share.
    @Test func `B7: a period that cost nothing but brings the developer something counts as paid`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            var paid = Self.month
            (paid.price, paid.proceeds) = (0, 8_500_000)
            try await world.sold(paid)
            try await world.became("active", at: "2026-01-05 00:00Z", autoRenew: true)
            #expect(try await world.subscribers(on: "2026-01-31") == ["gold: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
