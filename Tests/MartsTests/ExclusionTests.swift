// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ReportSupport

/// What the figures leave out is counted by its reason, and nothing is lost.
@Suite struct ExclusionTests {
    private func sale(
        _ key: Int64, _ currency: String?, price: Int64? = 10_000_000, on day: String = "2026-03-05"
    ) -> Sale {
        Sale(key: key, from: "\(day) 12:00Z", to: "2026-04-05 12:00Z", price: price, currency: currency)
    }

    @Test
    func `a missing FX rate: the sale stays whole in its own currency, is unconverted, and is counted`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(sale(1, "USD"))
            try await world.charged(sale(2, "EUR"))
            try await world.charged(sale(3, "EUR", on: "2026-03-02"))
            // The first rate is of the 3rd: it holds for the 5th, and came too late for the 2nd.
            try await world.rate("EUR", "0.8", on: "2026-03-03", base: "USD", source: "bank")
            #expect(try await world.exclusions() == ["2026-03-02|missing_rate|1"])
            #expect(
                try await world.converted() == [
                    "2026-03-02||||USD|1|", "2026-03-05|12.500000|0.000000|12.500000|USD|0|bank 2026-03-03",
                    "2026-03-05|10.000000|0.000000|10.000000|USD|0|",
                ])
            #expect(
                try await world.reported(
                    "select currency, sum(net)::text from revenue group by currency order by currency",
                    through: "infinity") == ["EUR|20.000000", "USD|10.000000"])
            // A refund of an unconverted sale is unconverted too, and no second sale that was left out.
            try await world.booked("refund", -10_000_000, at: "2026-03-09 12:00Z", of: sale(3, "EUR"))
            #expect(try await world.exclusions() == ["2026-03-02|missing_rate|1"])
            #expect(try await world.converted().contains("2026-03-09||||USD|1|"))
        }
    }

    @Test
    func `E1: an earlier seal lacks the rates into the currency configured then, not into today's`() async throws {
        try await ReportWorld.with { world in
            for seal in [1, 2] { try await world.night(Int64(seal), for: "2026-03-3\(seal - 1)") }
            try await world.charged(sale(1, "USD"))
            try await world.charged(sale(2, "EUR", on: "2026-03-06"))
            try await world.report(in: "EUR", after: 1)
            #expect(try await world.exclusions(seal: 1) == ["2026-03-06|missing_rate|1"])
            #expect(try await world.exclusions(seal: 2) == ["2026-03-05|missing_rate|1"])
            #expect(
                try await world.converted(seal: 1) == [
                    "2026-03-05|10.000000|0.000000|10.000000|USD|0|", "2026-03-06||||USD|1|",
                ])
            #expect(
                try await world.converted(seal: 2) == [
                    "2026-03-05||||EUR|1|", "2026-03-06|10.000000|0.000000|10.000000|EUR|0|",
                ])
        }
    }

    /// A bundle for 14.99 and what it includes: one customer.
    @Test(arguments: ["purchase", "trial", "renewal"])
    func `what a bundle includes is counted as that and as nothing else`(kind: String) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(
                Sale(id: "b1", product: "bundle", from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 14_990_000)
            )
            var row = Sale(
                key: 2, id: "m1", kind: kind, from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: nil,
                currency: nil)
            (row.ownership, row.bundle) = ("assigned", "b1")
            try await world.sold(row)
            #expect(try await world.exclusions() == ["2026-03-05|bundled|1"])
            #expect(
                try await world.reported(
                    """
                    select product_id, active, trial, family_shared from subscribers
                    where date = '2026-03-31' order by product_id
                    """, through: "2026-03-31") == ["bundle|1|0|0"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a missing price: a subscriber all the same, its money left out and counted`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(sale(1, "USD"))
            try await world.sold(sale(2, nil, price: nil))
            #expect(try await world.exclusions() == ["2026-03-05|missing_price|1"])
            #expect(try await world.subscribers(on: "2026-03-31") == ["monthly: active 2"])
            #expect(
                try await world.revenue() == [
                    "2026-03-05|monthly|US|USD|1|0|10.000000|0.000000|10.000000|auto_renewable"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `an unknown currency: stored as it came, never converted, and counted as such`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(sale(1, "QQQ"))
            try await world.charged(sale(2, "XAF"))
            #expect(try await world.exclusions() == ["2026-03-05|missing_rate|1", "2026-03-05|unknown_currency|1"])
            #expect(
                try await world.revenue() == [
                    "2026-03-05|monthly|US|QQQ|1|0|10.000000|0.000000|10.000000|auto_renewable",
                    "2026-03-05|monthly|US|XAF|1|0|10.000000|0.000000|10.000000|auto_renewable",
                ])
            #expect(try await world.converted() == ["2026-03-05||||USD|1|", "2026-03-05||||USD|1|"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `rows that are no revenue need no rate: each is listed under its one reason`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            var sandbox = sale(1, "EUR")
            sandbox.environment = "sandbox"
            var shared = sale(2, "EUR")
            shared.ownership = "family_shared"
            var trial = sale(3, "EUR", price: 0)
            trial.kind = "trial"
            var gift = trial
            (gift.key, gift.offerType) = (4, "win_back")
            for row in [sandbox, shared, trial, gift, sale(5, "EUR", price: 0)] { try await world.sold(row) }
            #expect(
                try await world.exclusions() == [
                    "2026-03-05|family_shared|1", "2026-03-05|promotional|1", "2026-03-05|sandbox|1",
                    "2026-03-05|trial|1", "2026-03-05|zero_price|1",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `every code of ISO 4217 is known`() async throws {
        try await ReportWorld.with { world in
            let codes = "values ('USD'), ('JPY'), ('XCG'), ('HRK'), ('BGN'), ('QQQ'), (''), ('USD EUR'), ('usd')"
            let known = try await world.connection.lines(
                "select code from (\(codes)) known (code) where marts.is_known_currency(code)")
            #expect(known == ["USD", "JPY", "XCG", "HRK", "BGN"])
        }
    }
}
