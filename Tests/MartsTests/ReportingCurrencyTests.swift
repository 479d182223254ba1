// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import ReportSupport

/// Figures in the reporting currency beside the original ones; what each comes to stands above it.
@Suite struct ReportingCurrencyTests {
    private static let first = "2026-01-05 12:00Z"
    private static let second = "2026-02-05 12:00Z"
    private static let third = "2026-03-05 12:00Z"

    private func euros(
        _ micros: Int64, from: String, to: String, id: String, kind: String = "purchase", product: String = "monthly"
    ) -> Sale {
        Sale(
            id: id, product: product, kind: kind, from: from, to: to, price: micros, currency: "EUR", country: "DE")
    }

    /// Two months of one customer, the euro at 1.20 and at 1.10 dollars, then the end.
    private func history(_ world: ReportWorld, then second: Int64, of product: String = "monthly") async throws {
        try await world.night(1, for: "2026-04-20")
        try await world.rate("USD", "1.2", on: "2026-01-02")
        try await world.rate("USD", "1.1", on: "2026-02-02")
        try await world.charged(euros(10_000_000, from: Self.first, to: Self.second, id: "t1"))
        try await world.charged(
            euros(second, from: Self.second, to: Self.third, id: "t2", kind: "renewal", product: product))
        try await world.became("expired", at: Self.third, reason: "voluntary", expires: Self.third)
    }

    private func bridge(_ world: ReportWorld) async throws -> [String] {
        try await world.reported(
            """
            select
                date, product_id, opening_reporting::text, (new_reporting + moved_in_reporting)::text,
                expansion_reporting::text, fx_reporting::text,
                (contraction_reporting + churn_voluntary_reporting + moved_out_reporting)::text, closing_reporting::text,
                reporting_currency, unconverted
            from mrr_bridge
            where date in ('2026-01-05', '2026-02-04', '2026-02-05', '2026-03-05')
            order by date, product_id collate "C"
            """, through: "2026-04-20")
    }

    @Test func `a renewal at another rate moves MRR by fx alone`() async throws {
        try await ReportWorld.with { world in
            try await history(world, then: 10_000_000)
            // 10 × 1.20 = 12; 10 × 1.10 = 11.
            #expect(
                try await bridge(world) == [
                    "2026-01-05|monthly|0.000000|12.000000|0.000000|0.000000|0.000000|12.000000|USD|0",
                    "2026-02-04|monthly|12.000000|0.000000|0.000000|0.000000|0.000000|12.000000|USD|0",
                    "2026-02-05|monthly|12.000000|0.000000|0.000000|-1.000000|0.000000|11.000000|USD|0",
                    "2026-03-05|monthly|11.000000|0.000000|0.000000|0.000000|-11.000000|0.000000|USD|0",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an expansion is worth the new rate, what it was worth before moves by fx`() async throws {
        try await ReportWorld.with { world in
            try await history(world, then: 15_000_000)
            // 5 × 1.10 = 5.50 more; 10 × (1.10 − 1.20) = −1.
            #expect(
                try await bridge(world)[2...] == [
                    "2026-02-05|monthly|12.000000|0.000000|5.500000|-1.000000|0.000000|16.500000|USD|0",
                    "2026-03-05|monthly|16.500000|0.000000|0.000000|0.000000|-16.500000|0.000000|USD|0",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a change of product moves the old value at the old rate`() async throws {
        try await ReportWorld.with { world in
            try await history(world, then: 15_000_000, of: "premium")
            #expect(
                try await bridge(world)[2...] == [
                    "2026-02-05|monthly|12.000000|0.000000|0.000000|0.000000|-12.000000|0.000000|USD|0",
                    "2026-02-05|premium|0.000000|12.000000|5.500000|-1.000000|0.000000|16.500000|USD|0",
                    "2026-03-05|premium|16.500000|0.000000|0.000000|0.000000|-16.500000|0.000000|USD|0",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a period without a rate is no zero, and comes in with the first one that has a rate`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "1.1", on: "2026-02-02")
            try await world.charged(euros(10_000_000, from: Self.first, to: Self.second, id: "t1"))
            try await world.charged(euros(10_000_000, from: Self.second, to: Self.third, id: "t2", kind: "renewal"))
            #expect(
                try await bridge(world)[...2] == [
                    "2026-01-05|monthly|||||||USD|1", "2026-02-04|monthly|||||||USD|1",
                    "2026-02-05|monthly|0.000000|11.000000|0.000000|0.000000|0.000000|11.000000|USD|0",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a period that is worth nothing loses the old value at its rate`() async throws {
        try await ReportWorld.with { world in
            // A micro for 999 years is less than half a nano a month.
            try await history(world, then: 1, of: "monthly")
            try await world.product("monthly", "P999Y", from: "2026-02-03")
            #expect(
                try await bridge(world)[2...] == [
                    "2026-02-05|monthly|12.000000|0.000000|0.000000|0.000000|-12.000000|0.000000|USD|0"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `what is recognised adds up to the converted charge, day by day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "1.1", on: "2026-01-02")
            try await world.charged(euros(9_990_000, from: "2026-01-05 00:00Z", to: "2026-01-08 00:00Z", id: "t1"))
            // 3.33 × 1.10 = 3.663 a day, of 10.989.
            #expect(
                try await world.reported(
                    """
                    select date, recognised_reporting::text, deferred_reporting::text, unconverted
                    from recognised order by date
                    """, through: "2026-04-20") == [
                        "2026-01-05|3.663000|7.326000|0", "2026-01-06|3.663000|3.663000|0",
                        "2026-01-07|3.663000|0.000000|0",
                    ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Five millionths of a euro at 1.5 are 7.5 millionths of a dollar, twice: 15, as in the gross; by half-time 7.5 (8).
    @Test func `converted charges are recognised exactly and rounded once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "1.5", on: "2026-01-02")
            for key in Int64(1)...2 {
                var sale = euros(5, from: "2026-01-05 00:00Z", to: "2026-01-07 00:00Z", id: "t\(key)")
                sale.key = key
                try await world.charged(sale)
            }
            #expect(
                try await world.reported(
                    "select date, recognised_reporting::text, deferred_reporting::text from recognised order by date",
                    through: "2026-04-20") == ["2026-01-05|0.000008|0.000007", "2026-01-06|0.000007|0.000000"])
            #expect(
                try await world.reported("select sum(gross_reporting)::text from revenue", through: "2026-04-20")
                    == ["0.000015"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// 9.99 dinars at 3.25 are 32.4675 dollars.
    ///
    /// What the last tenth of a second earns is 0.4 millionths of a dinar, which show on no day, and 1.3 of a dollar.
    @Test func `days of the reporting currency add up, also those that have nothing in their own`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "3.25", on: "2026-02-01", base: "KWD")
            var sale = Sale(from: "2026-03-01 00:00:00.1Z", to: "2026-03-31 00:00:00.1Z")
            sale.currency = "KWD"
            try await world.charged(sale)
            #expect(
                try await world.reported(
                    "select sum(recognised)::text, sum(recognised_reporting)::text from recognised",
                    through: "2026-04-20") == ["9.990000|32.467500"])
        }
    }

    @Test func `refunds and lifetime values follow the rate of the purchase`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "1.2", on: "2026-01-02")
            try await world.rate("USD", "3", on: "2026-03-01")
            var sale = euros(10_000_000, from: Self.first, to: Self.second, id: "t1")
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-10 09:00Z", "partial", 2_500_000)
            try await world.charged(sale)
            try await world.booked("refund", -2_500_000, at: "2026-03-10 09:00Z", of: sale)
            // 2.50 × 1.20 = 3; (10 − 2.50) × 1.20 = 9, within 90 days.
            #expect(
                try await world.reported(
                    "select refunded::text, refunded_reporting::text from refunds", through: "2026-04-20")
                    == ["2.500000|3.000000"])
            #expect(
                try await world.reported(
                    "select sold_month, refunded_month, refunds, refunded::text, refunded_reporting::text from refund_matrix",
                    through: "2026-04-20") == ["2026-01|2026-03|1|2.500000|3.000000"])
            #expect(
                try await world.reported(
                    "select charged_reporting::text, refunded_reporting::text, given_back_reporting::text from refund_rates "
                        + "order by month", through: "2026-04-20") == [
                        "12.000000|0.000000|3.000000", "0.000000|3.000000|0.000000",
                    ])
            #expect(
                try await world.reported(
                    "select days, net::text, net_reporting::text, ltv_reporting::text from ltv where days = 30",
                    through: "2026-04-20") == ["30|10.000000|12.000000|12.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
