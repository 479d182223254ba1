// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// Google Play's change of plan: what is left of the old one pays for the first days of the new one.
///
/// A month for 8.40 from 5 January, changed on the 16th for the plan of 22.00, and a whole period of that from the
/// 22nd; reckoned by hand.
@Suite struct RecurringPriceTests {
    private static func month(recurring: Int64? = nil) -> [Sale] {
        [
            Sale(
                id: "o1", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 8_400_000, isUpgraded: true,
                store: "google_play", tax: 1_340_000, proceeds: 6_000_000),
            Sale(
                key: 2, id: "o2", product: "pro", kind: "upgrade", from: "2026-01-16 12:00Z", to: "2026-01-22 12:00Z",
                price: 0, store: "google_play", lineage: 1, tax: 0, recurring: recurring),
            Sale(
                key: 2, id: "o2..0", product: "pro", kind: "renewal", from: "2026-01-22 12:00Z",
                to: "2026-02-22 12:00Z", price: 22_000_000, store: "google_play", lineage: 1, tax: 3_510_000,
                proceeds: 15_000_000),
        ]
    }

    private static func bridge(_ sales: [Sale], products: [(id: String, period: String)]) async throws -> [String] {
        var lines: [String] = []
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            for product in products { try await world.product(product.id, product.period) }
            for sale in sales where sale.price != 0 { try await world.charged(sale) }
            for sale in sales where sale.price == 0 { try await world.sold(sale) }
            try await world.became(
                "active", key: 2, at: "2026-01-22 12:00Z", expires: sales.last?.to, autoRenew: true)
            lines = try await world.bridge(through: "2026-01-31")
            #expect(try await world.failedChecks().isEmpty)
        }
        return lines
    }

    @Test
    func `B7: a proration that costs nothing is worth what the plan costs, by the plan's own length`() async throws {
        #expect(
            try await Self.bridge(Self.month(recurring: 22_000_000), products: [("pro", "P1M")]) == [
                "2026-01-05 monthly USD: 0.000000, new 8.400000 = 8.400000",
                "2026-01-16 monthly USD: 8.400000, moved_out -8.400000 = 0.000000",
                "2026-01-16 pro USD: 0.000000, moved_in 8.400000, expansion 13.600000 = 22.000000",
            ])
        // Of a year for 66.00 as well: 5.50 a month, 2.90 less.
        #expect(
            try await Self.bridge(
                Self.month(recurring: 66_000_000).dropLast(), products: [("pro", "P1Y")]
            ).last == "2026-01-16 pro USD: 0.000000, moved_in 8.400000, contraction -2.900000 = 5.500000")
    }

    /// A new signing-up for the same plan before the old one runs out: a zero order up to the 5th of February, and the
    /// next charge then.
    ///
    /// Whatever its kind, they went on paying.
    @Test(arguments: ["renewal", "purchase"])
    func `B7: a zero order in its proration phase continues what was paid, whatever its kind`(kind: String) async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.product("monthly", "P1M")
            try await world.charged(
                Sale(
                    id: "o1", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 8_400_000, isUpgraded: true,
                    store: "google_play"))
            try await world.sold(
                Sale(
                    key: 2, id: "o2", kind: kind, from: "2026-01-16 12:00Z", to: "2026-02-05 12:00Z", price: 0,
                    store: "google_play", lineage: 1, recurring: 8_400_000))
            try await world.charged(
                Sale(
                    key: 2, id: "o2..0", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z",
                    price: 8_400_000, store: "google_play", lineage: 1))
            try await world.became("active", key: 2, at: "2026-02-05 12:00Z", expires: "2026-03-05 12:00Z")
            #expect(
                try await world.bridge(through: "2026-02-20") == [
                    "2026-01-05 monthly USD: 0.000000, new 8.400000 = 8.400000"
                ])
            #expect(try await world.subscribers(on: "2026-01-25") == ["monthly: active 1"])
        }
    }

    @Test
    func `B7: the dates of a proration say nothing of the plan: unlisted, it counts as it was charged`() async throws {
        // 2.10 for six days: × 30.4375 ÷ 6 = 10.653125.
        var sales = Self.month(recurring: 22_000_000)
        sales[1].price = 2_100_000
        #expect(
            try await Self.bridge(sales, products: [("monthly", "P1M")]).suffix(2) == [
                "2026-01-16 pro USD: 0.000000, moved_in 8.400000, expansion 2.253125 = 10.653125",
                "2026-01-22 pro USD: 10.653125, expansion 11.346875 = 22.000000",
            ])
    }

    @Test
    func `B7: a code that opened a plan leaves its first days worth a whole period; add-ons count too`() async throws {
        var sales = Self.month(recurring: 22_000_000).dropLast()
        sales[1].offerType = "code"
        var addOn = sales[1]
        (addOn.product, addOn.recurring) = ("addon", 2_000_000)
        sales.append(addOn)
        #expect(
            try await Self.bridge(Array(sales), products: [("pro", "P1M")]).last
                == "2026-01-16 pro USD: 0.000000, moved_in 8.400000, expansion 15.600000 = 24.000000")
    }

    @Test
    func `B7: the tax in a plan's price, and what it would bring, no order reports: both are estimated`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-31")
            try await world.product("pro", "P1M")
            try await world.tax("DE", "0.1", inclusive: true)
            var rest = Self.month(recurring: 22_000_000)[1]
            (rest.lineage, rest.country, rest.to, rest.price) = (nil, "DE", "2026-02-05 12:00Z", 2_200_000)
            (rest.tax, rest.proceeds) = (400_000, 1_500_000)
            try await world.charged(rest)
            // 22.00 ÷ 1.1; × 0.85.
            #expect(
                try await world.reported(
                    """
                    select closing_mrr::text, closing_mrr_net_of_tax::text, closing_mrr_proceeds::text,
                        net_of_tax_estimated_share::text
                    from metrics
                    where month = '2026-01'
                    """, through: "2026-01-31") == ["22.000000|20.000000|17.000000|1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
