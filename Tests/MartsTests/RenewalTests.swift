// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import ReportSupport

/// What renews in the days after the report, and who may not.
@Suite struct RenewalTests {
    private func renewals(_ world: ReportWorld, through day: String, seal: Int64 = 1) async throws -> [String] {
        try await world.reported(
            """
            select date, product_id, country, currency, due, set_to_cancel, at_risk, amount::text
            from renewals
            order by date, product_id collate "C", country collate "C"
            """, seal: seal, through: day)
    }

    /// With where the amount comes from.
    private func amounts(_ world: ReportWorld, through day: String, seal: Int64 = 1) async throws -> [String] {
        try await world.reported(
            """
            select date, currency, due, set_to_cancel, amount::text, amount_reporting::text, unconverted, amount_source
            from renewals
            order by date, currency nulls first, amount_source
            """, seal: seal, through: day)
    }

    /// Paid at 0.99 on an introductory offer, and 9.99 from February on.
    @Test func `what the store says of the renewal comes before the price paid now`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            for key in Int64(1)...3 {
                let price: Int64 = key == 3 ? 9_990_000 : 990_000
                try await world.charged(
                    Sale(key: key, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: price))
            }
            for key in Int64(1)...2 {
                try await world.became(
                    "active", key: key, at: "2026-01-05 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                    renewal: (9_990_000, "USD"))
            }
            try await world.became(
                "active", key: 3, at: "2026-01-05 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true)
            #expect(
                try await amounts(world, through: "2026-01-10") == [
                    "2026-02-05|USD|1|0|9.990000|9.990000|0|paid", "2026-02-05|USD|2|0|19.980000|19.980000|0|store",
                ])
            // Switched off: due still, and nothing is said of a renewal.
            try await world.became(
                "active", key: 2, at: "2026-01-08 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: false)
            #expect(
                try await amounts(world, through: "2026-01-10") == [
                    "2026-02-05|USD|2|1|9.990000|9.990000|0|paid", "2026-02-05|USD|1|0|9.990000|9.990000|0|store",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A customer who moved: paid in dollars, and the store says the renewal in euros: 8.00 EUR at 0.8 EUR a dollar.
    @Test func `a renewal in another currency is that currency's, at the rate of the current purchase`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            try await world.rate("EUR", "0.8", on: "2026-01-02", base: "USD", source: "bank")
            for (key, currency) in [(Int64(1), "EUR"), (2, "SEK")] {
                try await world.charged(Sale(key: key, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                try await world.became(
                    "active", key: key, at: "2026-01-06 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                    renewal: (8_000_000, currency))
            }
            #expect(
                try await amounts(world, through: "2026-01-10") == [
                    "2026-02-05|EUR|1|0|8.000000|10.000000|0|store", "2026-02-05|SEK|1|0|8.000000||1|store",
                ])
        }
    }

    /// What was said once the next period was there is of the charge after it.
    @Test func `a price is of the renewal that it was said before`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-04")
            try await world.charged(
                Sale(id: "t1", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 990_000))
            try await world.became(
                "active", at: "2026-01-05 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                renewal: (4_990_000, "USD"))
            try await world.charged(
                Sale(id: "t2", kind: "renewal", from: "2026-02-05 12:00Z", to: "2026-03-05 12:00Z", price: 4_990_000))
            try await world.became(
                "active", at: "2026-02-05 12:00Z", expires: "2026-03-05 12:00Z", autoRenew: true,
                renewal: (9_990_000, "USD"))
            #expect(
                try await amounts(world, through: "2026-02-04") == ["2026-02-05|USD|1|0|4.990000|4.990000|0|store"])
            #expect(
                try await amounts(world, through: "2026-02-05") == ["2026-03-05|USD|1|0|9.990000|9.990000|0|store"])
        }
    }

    /// The order of the rest of a period lists the plan's price with its tax; the purchase says it without.
    @Test func `the rest of a period renews at the plan's price, which is the store's word`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            try await world.product("pro", "P1M")
            try await world.charged(
                Sale(
                    id: "o1", product: "pro", from: "2026-01-16 12:00Z", to: "2026-02-05 12:00Z", price: 6_000_000,
                    store: "google_play", recurring: 22_000_000))
            try await world.became(
                "active", at: "2026-01-16 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                renewal: (20_000_000, "USD"))
            #expect(
                try await amounts(world, through: "2026-01-20") == ["2026-02-05|USD|1|0|22.000000|22.000000|0|store"])
        }
    }

    /// 4 seats for 40.00, two more for 12.00 in mid-period; the store says six seats for 54.00.
    @Test func `seats renew once, at what the store says of all of them`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            var first = Sale(id: "t1", from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: 40_000_000)
            var added = Sale(id: "t2", from: "2026-01-15 12:00Z", to: "2026-02-05 12:00Z", price: 12_000_000)
            (first.seats, added.seats, added.kind) = (4, 2, "renewal")
            for sale in [first, added] { try await world.charged(sale) }
            try await world.became("active", at: "2026-01-15 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true)
            #expect(
                try await amounts(world, through: "2026-01-20") == ["2026-02-05|USD|1|0|52.000000|52.000000|0|paid"])
            try await world.became(
                "active", at: "2026-01-16 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                renewal: (54_000_000, "USD"))
            #expect(
                try await amounts(world, through: "2026-01-20") == ["2026-02-05|USD|1|0|54.000000|54.000000|0|store"])
        }
    }

    /// What it costs now is unknown, and the store says what it will.
    @Test func `a price that is not known renews at the store's, else at none`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-20")
            for key in Int64(1)...2 {
                try await world.sold(
                    Sale(
                        key: key, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z", price: nil, currency: nil))
            }
            try await world.became(
                "active", at: "2026-01-16 12:00Z", expires: "2026-02-05 12:00Z", autoRenew: true,
                renewal: (0, "USD"))
            #expect(
                try await amounts(world, through: "2026-01-20") == [
                    "2026-02-05||1|0|||0|paid", "2026-02-05|USD|1|0|0.000000|0.000000|0|store",
                ])
        }
    }

    @Test func `the paid periods that end within ninety days are due, at the price they have`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-10")
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.charged(
                Sale(key: 2, from: "2026-01-05 13:00Z", to: "2026-02-05 13:00Z", price: 12_000_000, country: "JP"))
            // 90 days after 10 January is 10 April.
            try await world.charged(
                Sale(key: 3, product: "quarterly", from: "2026-01-10 12:00Z", to: "2026-04-10 12:00Z"))
            try await world.charged(Sale(key: 4, product: "long", from: "2026-01-10 12:00Z", to: "2026-04-11 12:00Z"))
            #expect(
                try await renewals(world, through: "2026-01-10") == [
                    "2026-02-05|monthly|JP|USD|1|0|0|12.000000", "2026-02-05|monthly|US|USD|1|0|0|9.990000",
                    "2026-04-10|quarterly|US|USD|1|0|0|9.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who has cancelled is due and brings nothing, who is in grace is at risk until it ends`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.charged(Sale(from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z"))
            try await world.became("active", at: "2026-01-25 12:00Z", expires: "2026-02-20 12:00Z", autoRenew: false)
            try await world.charged(Sale(key: 2, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.became(
                "grace", key: 2, at: "2026-02-05 12:00Z", expires: "2026-02-05 12:00Z", grace: "2026-02-21 12:00Z")
            #expect(
                try await renewals(world, through: "2026-02-06") == [
                    "2026-02-20|monthly|US|USD|1|1|0|0.000000", "2026-02-21|monthly|US|USD|1|0|1|9.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `who is waited for, or has left, is not due`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-10")
            for (key, state) in [(Int64(1), "billing_retry"), (2, "expired")] {
                try await world.charged(Sale(key: key, from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                try await world.became(state, key: key, at: "2026-02-05 12:00Z", expires: "2026-02-05 12:00Z")
            }
            #expect(try await renewals(world, through: "2026-02-10").isEmpty)
        }
    }
}

/// Since when customers are at risk, and who of them never paid.
@Suite struct AtRiskTests {
    @Test(arguments: [("2026-02-12", "0-7"), ("2026-02-13", "8-30"), ("2026-03-07", "8-30"), ("2026-03-08", "31+")])
    func `days at risk count from the day the state began`(_ found: (day: String, days: String)) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: found.day)
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.became(
                "billing_retry", at: "2026-02-05 12:00Z", recorded: "2026-02-06 02:00Z", expires: "2026-02-05 12:00Z")
            #expect(
                try await world.reported(
                    "select state, subscriptions, never_paid, days_at_risk, mrr_reporting::text from at_risk",
                    through: found.day) == ["billing_retry|1|0|\(found.days)|9.990000"])
        }
    }

    @Test func `a trial whose first payment fails never paid`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-01-14")
            try await world.sold(
                Sale(
                    kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0,
                    offerType: "introductory")
            )
            try await world.became(
                "billing_retry", at: "2026-01-12 12:00Z", recorded: "2026-01-13 02:00Z", expires: "2026-01-12 12:00Z")
            #expect(
                try await world.reported(
                    "select state, subscriptions, never_paid, mrr::text, currency from at_risk", through: "2026-01-14")
                    == ["billing_retry|1|1||"])
        }
    }
}

/// Countries by month.
@Suite struct CountryTests {
    @Test func `who tries, comes, stays and leaves is counted where they are, with their money`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            // A trial of January that is paid in January and renewed once, then gone on 12 March, refunded by half.
            try await world.sold(
                Sale(
                    id: "t0", kind: "trial", from: "2026-01-05 12:00Z", to: "2026-01-12 12:00Z", price: 0, country: "JP"
                ))
            try await world.charged(Sale(id: "t1", from: "2026-01-12 12:00Z", to: "2026-02-12 12:00Z", country: "JP"))
            var last = Sale(
                id: "t2", kind: "renewal", from: "2026-02-12 12:00Z", to: "2026-03-12 12:00Z", country: "JP")
            (last.refundedAt, last.refundKind, last.refund) = ("2026-03-20 12:00Z", "partial", 4_990_000)
            try await world.charged(last)
            try await world.booked("refund", -4_990_000, at: "2026-03-20 12:00Z", of: last)
            try await world.became(
                "expired", at: "2026-03-12 12:00Z", reason: "voluntary", expires: "2026-03-12 12:00Z")
            #expect(
                try await world.reported(
                    """
                    select month, country, currency, active, trials_started, trials_converted, new, churned,
                        closing_mrr::text, gross::text, refunded::text, net::text
                    from countries order by month, currency nulls first
                    """, through: "2026-03-31") == [
                        "2026-01|JP||0|1|1|0|0|0.000000|0.000000|0.000000|0.000000",
                        "2026-01|JP|USD|1|0|0|1|0|9.990000|9.990000|0.000000|9.990000",
                        "2026-02|JP|USD|1|0|0|0|0|9.990000|9.990000|0.000000|9.990000",
                        "2026-03|JP|USD|0|0|0|0|1|0.000000|0.000000|4.990000|-4.990000",
                    ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
