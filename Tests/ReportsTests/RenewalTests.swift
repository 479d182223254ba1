// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

/// What renews in the days after the report, and who may not.
@Suite struct RenewalTests {
    private func renewals(_ world: ReportWorld, through day: String, seal: Int64 = 1) async throws -> [String] {
        try await world.shown(
            """
            select date, product_id, country, currency, due, set_to_cancel, at_risk, amount::text
            from renewals
            order by date, product_id collate "C", country collate "C"
            """, seal: seal, through: day)
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
                try await world.shown(
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
                try await world.shown(
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
                try await world.shown(
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
