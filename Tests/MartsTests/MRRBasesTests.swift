// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// MRR gross, net of tax and as proceeds, and how much of it is estimated: each figure reckoned by hand.
@Suite struct MRRBasesTests {
    /// `currency gross net proceeds | estimated shares of both` of March 2026, by product.
    private func bases(_ world: ReportWorld) async throws -> [String] {
        try await world.reported(
            """
            select product_id, currency, closing_mrr::text, closing_mrr_net_of_tax::text, closing_mrr_proceeds::text,
                net_of_tax_estimated_share::text, proceeds_estimated_share::text
            from metrics
            where month = '2026-03'
            order by product_id, currency
            """, through: "2026-03-31")
    }

    private func month(
        _ key: Int64, _ price: Int64, _ country: String?, product: String = "monthly", store: String = "app_store",
        tax: Int64? = nil, proceeds: Int64? = nil
    ) -> Sale {
        Sale(
            key: key, product: product, from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: price,
            currency: "EUR", country: country, store: store, tax: tax, proceeds: proceeds)
    }

    @Test
    func `MRR in three bases: what no store reports is estimated by tax table and commission, labelled`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.tax("DE", "0.16", inclusive: true, from: "2020-07-01")
            try await world.tax("DE", "0.19", inclusive: true, from: "2021-01-01")
            try await world.tax("FR", "0.2", inclusive: true)
            try await world.charged(month(1, 11_900_000, "DE"))
            try await world.charged(month(2, 12_000_000, "FR"))
            // 11.90 ÷ 1.19 + 12.00 ÷ 1.2 = 20.00; × 0.7 = 14.00.
            #expect(
                try await bases(world) == ["monthly|EUR|23.900000|20.000000|14.000000|1.000000|1.000000"])
            // Where the third one lives is unknown: it is in MRR, in no other base, and in the share.
            try await world.charged(month(3, 5_000_000, nil))
            #expect(
                try await bases(world) == ["monthly|EUR|28.900000|20.000000|14.000000|1.000000|1.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Of 28.90: 11.90 that the store told all of, 12.00 of which it told the tax and a rule tells the rest, and 5.00 of unknown
    /// which country.
    @Test func `MRR in three bases: each says which share of MRR is left out of it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(
                month(1, 11_900_000, "DE", store: "google_play", tax: 2_000_000, proceeds: 8_400_000))
            try await world.charged(month(2, 12_000_000, "DE", store: "google_play", tax: 2_000_000))
            try await world.charged(month(3, 5_000_000, nil, store: "google_play"))
            let shares = try await world.reported(
                "select net_of_tax_missing_share::text, proceeds_missing_share::text from metrics where month = '2026-03'",
                through: "2026-03-31")
            // 5.00 ÷ 28.90
            #expect(shares == ["0.173010|0.173010"])
        }
    }

    @Test
    func `MRR in three bases: what the store reported is taken, and the shares say how much is estimated`() async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.tax("DE", "0.19", inclusive: true)
            try await world.charged(
                month(1, 11_900_000, "DE", store: "google_play", tax: 2_000_000, proceeds: 8_400_000))
            #expect(
                try await bases(world) == ["monthly|EUR|11.900000|9.900000|8.400000|0.000000|0.000000"])
            // The tax told, the proceeds not: 9.90 × 0.85 = 8.415; half of the money's proceeds are estimated then.
            try await world.charged(month(2, 11_900_000, "DE", store: "google_play", tax: 2_000_000))
            #expect(
                try await bases(world) == ["monthly|EUR|23.800000|19.800000|16.815000|0.000000|0.500000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `MRR in three bases: nothing known is empty, never 0, and a free price is none of it`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.charged(month(1, 9_990_000, "DE"))
            #expect(try await bases(world) == ["monthly|EUR|9.990000|||1.000000|1.000000"])
        }
    }

    @Test func `MRR in three bases: sums are exact and rounded once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.tax("DE", "0.19", inclusive: true)
            for key in Int64(1)...7 {
                var year = month(key, 10_000_000, "DE", product: "yearly")
                year.to = "2027-03-05 12:00Z"
                try await world.charged(year)
            }
            // 7 × 10 ÷ 12 = 5.8333…; ÷ 1.19 = 4.9019607…; × 0.7 = 3.4313725…. One by one they were 4.901960 and 3.431372.
            #expect(
                try await bases(world) == ["yearly|EUR|5.833333|4.901961|3.431373|1.000000|1.000000"])
        }
    }

    @Test
    func `MRR in three bases: 15 % after a year of paid service, and the rate of the purchase's day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-31")
            try await world.tax("US", "0", inclusive: false)
            try await world.rule("small_business", "0.15", app: "acme-ios", from: "2026-03-10")
            try await world.charged(
                Sale(id: "t1", from: "2025-03-05 12:00Z", to: "2026-03-05 12:00Z", price: 120_000_000, group: "g"))
            try await world.charged(
                Sale(
                    id: "t2", kind: "renewal", from: "2026-03-05 12:00Z", to: "2027-03-05 12:00Z", price: 120_000_000,
                    group: "g"))
            // Bought before the programme began: 10 a month, of which 70 %.
            try await world.charged(
                Sale(key: 2, from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 10_000_000))
            // 10 × 0.85 + 10 × 0.7.
            #expect(
                try await bases(world) == ["monthly|USD|20.000000|20.000000|15.500000|1.000000|1.000000"])
        }
    }
}
