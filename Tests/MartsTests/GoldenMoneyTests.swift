// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@testable import ReportSupport

/// What others got wrong about money (each case names whose it was), worked out on paper.
@Suite struct GoldenMoneyTests {
    @Test
    func `Golden: events without an active row and rows of no country or state stay (dbt_apple_store)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-10")
            // Bought and given back within an hour, of a product that never was before or after.
            var flash = Sale(key: 2, product: "flash", from: "2026-01-20 08:00Z", to: "2026-02-20 08:00Z")
            (flash.refundedAt, flash.refundKind, flash.refund) = ("2026-01-20 09:00Z", "full", 9_990_000)
            try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
            try await world.charged(flash)
            try await world.booked("refund", -9_990_000, at: "2026-01-20 09:00Z", of: flash)
            try await world.became("revoked", key: 2, at: "2026-01-20 09:00Z", reason: "refund", expires: flash.to)
            // No country, no state ever told; refunded long after its period, on a day without any sale.
            var nowhere = Sale(
                key: 3, from: "2026-01-20 12:00Z", to: "2026-02-20 12:00Z", price: 4_000_000, country: nil)
            (nowhere.refundedAt, nowhere.refundKind, nowhere.refund) = ("2026-03-01 12:00Z", "partial", 1_000_000)
            try await world.charged(nowhere)
            try await world.booked("refund", -1_000_000, at: "2026-03-01 12:00Z", of: nowhere)
            #expect(
                try await world.revenue() == [
                    "2026-01-05|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                    "2026-01-20|flash|US|USD|1|1|9.990000|9.990000|0.000000|auto_renewable",
                    "2026-01-20|monthly||USD|1|0|4.000000|0.000000|4.000000|auto_renewable",
                    "2026-03-01|monthly||USD|0|1|0.000000|1.000000|-1.000000|auto_renewable",
                ])
            #expect(
                try await world.bridge(through: "2026-02-01").dropFirst() == [
                    "2026-01-20 flash USD: 0.000000, new 9.990000, churn_refund -9.990000 = 0.000000",
                    "2026-01-20 monthly USD: 9.990000, new 4.000000 = 13.990000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `Golden: the net amount is summed once per order, not once per line (dbt_google_play)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            // One order of 9.99 with proceeds of 7.13, in proportion to its lines of 6.99 and 3.00:
            // 7.13 × 699 ÷ 999 = 4.988858…, and the rest of 2.141141….
            for (product, price, proceeds) in [("base", 6_990_000, 4_988_859), ("extra", 3_000_000, 2_141_141)] {
                try await world.charged(
                    Sale(
                        id: "GPA.1", product: product, from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z",
                        price: Int64(price), store: "google_play", tax: 0, proceeds: Int64(proceeds)))
            }
            let sums = try await world.reported(
                "select sum(net)::text, sum(proceeds)::text from revenue", through: "infinity")
            #expect(sums == ["9.990000|7.130000"])
            #expect(
                try await world.bridge(through: "2026-03-20") == [
                    "2026-03-01 base USD: 0.000000, new 9.990000 = 9.990000"
                ])
            #expect(try await world.subscribers(on: "2026-03-01") == ["base: active 1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: Google's end before its start is revenue and no subscriber, and counted (RevenueCat)`() async throws {
        try await ReportWorld.with { world in
            try await world.allowPeriodsThatEndBeforeTheyStart()
            try await world.night(1, for: "2026-02-28")
            try await world.charged(
                Sale(key: 1, from: "2026-01-10 12:00Z", to: "2026-01-09 12:00Z", store: "google_play"))
            try await world.charged(Sale(key: 2, from: "2026-01-12 12:00Z", to: "2026-01-12 12:00Z"))
            #expect(try await world.exclusions() == ["2026-01-10|invalid_period|1", "2026-01-12|invalid_period|1"])
            #expect(
                try await world.revenue() == [
                    "2026-01-10|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                    "2026-01-12|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                ])
            #expect(try await world.bridge(through: "2026-02-28").isEmpty)
            #expect(try await world.openings(through: "2026-02-28").isEmpty)
            // What covers no time is earned at once: nothing of it stays deferred.
            #expect(
                try await world.recognised() == ["2026-01-10|9.990000|0.000000", "2026-01-12|9.990000|0.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: an upgrade's partial refund has no date: none made up, credit counted (RevenueCat)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            // Ten days for 10.00, superseded after three.
            var old = Sale(from: "2026-03-01 00:00Z", to: "2026-03-11 00:00Z", price: 10_000_000)
            old.isUpgraded = true
            try await world.charged(old)
            try await world.charged(
                Sale(
                    id: "t2", product: "premium", kind: "upgrade", from: "2026-03-04 00:00Z", to: "2026-03-06 00:00Z",
                    price: 4_000_000))
            // Three days at 1.00, then the other 7.00 on the day of the upgrade, beside 2.00 of the new product.
            #expect(
                try await world.recognised() == [
                    "2026-03-01|1.000000|9.000000", "2026-03-02|1.000000|8.000000", "2026-03-03|1.000000|7.000000",
                    "2026-03-04|7.000000|0.000000", "2026-03-04|2.000000|2.000000", "2026-03-05|2.000000|0.000000",
                ])
            // 10.00 × 30.4375 ÷ 10 = 30.4375 a month; 4.00 × 30.4375 ÷ 2 = 60.875.
            #expect(
                try await world.bridge(through: "2026-03-30") == [
                    "2026-03-01 monthly USD: 0.000000, new 30.437500 = 30.437500",
                    "2026-03-04 monthly USD: 30.437500, moved_out -30.437500 = 0.000000",
                    "2026-03-04 premium USD: 0.000000, moved_in 30.437500, expansion 30.437500 = 60.875000",
                ])
            #expect(try await world.refunds().isEmpty)
            #expect(try await world.exclusions() == ["2026-03-01|unknown_credit|1"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test
    func `Golden: an FX feed off by 10x, corrected, moves the next report only (AppSales-Mobile #283)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(
                Sale(
                    from: "2026-03-05 12:00Z", to: "2026-04-05 12:00Z", price: 1_500_000_000, currency: "JPY",
                    country: "JP"))
            // 1500 yen at 15 to the dollar are 100 dollars; at 150 they are 10.
            try await world.rate("JPY", "15", on: "2026-03-04", base: "USD", flagged: true)
            let before = ["2026-03-05|100.000000|0.000000|100.000000|USD|0|ecb 2026-03-04 flagged"]
            #expect(try await world.converted() == before)
            try await world.night(2, for: "2026-04-21")
            try await world.rate("JPY", "150", on: "2026-03-04", base: "USD", seal: 2)
            #expect(try await world.converted() == before)
            #expect(
                try await world.converted(seal: 2) == ["2026-03-05|10.000000|0.000000|10.000000|USD|0|ecb 2026-03-04"])
        }
    }
}
