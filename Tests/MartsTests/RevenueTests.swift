// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ReportSupport

/// Revenue as the ledger has it: every figure below was added up by hand from the entries above it.
@Suite struct RevenueTests {
    private let march = Sale(from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z")

    @Test func `a charge and a late refund are on their own days`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-20")
            var sale = march
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-15 09:00Z", "full", 9_990_000)
            try await world.charged(sale)
            try await world.booked("refund", -9_990_000, at: "2026-03-15 09:00Z", of: sale)
            #expect(
                try await world.revenue() == [
                    "2026-03-01|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                    "2026-03-15|monthly|US|USD|0|1|0.000000|9.990000|-9.990000|auto_renewable",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a partial refund that grows is two refunds, and one that vanishes is none`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(march)
            try await world.oncePaidBack(march, 4_995_000, at: "2026-03-10 00:00Z")
            // 30 % of 9.99 = 2.997; then 50 % = 4.995, a further 1.998; then all of it is taken back.
            try await world.booked("refund", -2_997_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund", -1_998_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund_reversal", 4_995_000, at: "2026-03-20 00:00Z", of: march)
            #expect(
                try await world.revenue() == [
                    "2026-03-01|monthly|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                    "2026-03-10|monthly|US|USD|0|2|0.000000|4.995000|-4.995000|auto_renewable",
                    "2026-03-20|monthly|US|USD|0|-2|0.000000|-4.995000|4.995000|auto_renewable",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a refund that shrinks is still one refund`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = march
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-10 00:00Z", "partial", 2_997_000)
            try await world.charged(sale)
            try await world.booked("refund", -4_995_000, at: "2026-03-10 00:00Z", of: sale)
            try await world.booked("refund_reversal", 1_998_000, at: "2026-03-20 00:00Z", of: sale)
            #expect(
                try await world.revenue().dropFirst() == [
                    "2026-03-10|monthly|US|USD|0|1|0.000000|4.995000|-4.995000|auto_renewable",
                    "2026-03-20|monthly|US|USD|0|0|0.000000|-1.998000|1.998000|auto_renewable",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a refund whose instant moved counts on its new day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(march)
            try await world.booked("refund", -9_990_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund_reversal", 9_990_000, at: "2026-03-10 00:00Z", of: march)
            try await world.booked("refund", -9_990_000, at: "2026-03-12 00:00Z", of: march)
            #expect(
                try await world.revenue().dropFirst() == [
                    "2026-03-10|monthly|US|USD|0|0|0.000000|0.000000|0.000000|auto_renewable",
                    "2026-03-12|monthly|US|USD|0|1|0.000000|9.990000|-9.990000|auto_renewable",
                ])
        }
    }

    @Test func `a corrected price changes the day of the purchase`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = march
            try await world.charged(sale)
            sale.price = 7_990_000
            try await world.sold(sale)
            try await world.booked("correction", -9_990_000, at: sale.from, of: sale)
            try await world.booked("correction", 7_990_000, at: sale.from, of: sale)
            #expect(
                try await world.revenue() == [
                    "2026-03-01|monthly|US|USD|1|0|7.990000|0.000000|7.990000|auto_renewable"
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `what has no price or is no sale has no row`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.sold(Sale(key: 2, from: march.from, to: march.to, price: nil, currency: nil))
            try await world.sold(Sale(key: 3, kind: "trial", from: march.from, to: march.to, price: 0))
            try await world.sold(Sale(key: 4, from: march.from, to: march.to, environment: "sandbox"))
            try await world.sold(Sale(key: 5, from: march.from, to: march.to, ownership: "family_shared"))
            #expect(try await world.revenue().isEmpty)
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `currencies and kinds of product are separate, and amounts are exact`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            // Two yen prices of 9,007,199,254.740993 each: beyond what a Double can hold exactly.
            for key in [Int64(2), 3] {
                try await world.charged(
                    Sale(
                        key: key, from: march.from, to: march.to, price: 9_007_199_254_740_993, currency: "JPY",
                        country: "JP"))
            }
            try await world.charged(
                Sale(key: 4, product: "lifetime", kind: "one_time", from: march.from, country: nil))
            try await world.charged(
                Sale(key: 5, product: "prepaid", kind: "top_up", from: march.from, to: march.to, price: 1))
            #expect(
                try await world.revenue() == [
                    "2026-03-01|lifetime||USD|1|0|9.990000|0.000000|9.990000|one_time",
                    "2026-03-01|monthly|JP|JPY|2|0|18014398509.481986|0.000000|18014398509.481986|auto_renewable",
                    "2026-03-01|prepaid|US|USD|1|0|0.000001|0.000000|0.000001|prepaid",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `the time zone decides the day, and nothing after the last day is reported`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            // 23:59:59 on 28 March in Berlin is 22:59:59 UTC; the second after it is the 29th there, the 28th in UTC.
            try await world.charged(Sale(key: 2, from: "2026-03-28 22:59:59Z", to: march.to))
            try await world.charged(Sale(key: 3, from: "2026-03-28 23:00:00Z", to: march.to))
            let charges = { (zone: String, through: String) in
                try await world.revenue(through: through, zone: zone).map { $0.prefix(10) + $0.dropFirst(25).prefix(2) }
            }
            #expect(try await charges("UTC", "2026-03-30") == ["2026-03-28|2"])
            #expect(try await charges("Europe/Berlin", "2026-03-30") == ["2026-03-28|1", "2026-03-29|1"])
            #expect(try await charges("Europe/Berlin", "2026-03-28") == ["2026-03-28|1"])
            // Each store's own day: 15:59:59 and 16:00:00 on the 28th in Cupertino.
            #expect(try await charges("store", "2026-03-30") == ["2026-03-28|2"])
        }
    }
}
