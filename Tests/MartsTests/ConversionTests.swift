// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@testable import ReportSupport

/// The reporting currency: what each figure comes to stands above it, reckoned by hand.
@Suite struct ConversionTests {
    private func yen(_ micros: Int64 = 1_500_000_000, key: Int64 = 1, at instant: String = "2026-03-05 12:00Z") -> Sale
    {
        Sale(key: key, from: instant, to: "2026-04-05 12:00Z", price: micros, currency: "JPY", country: "JP")
    }

    @Test
    func `D1: the last rate before the day of purchase, crossed over the base, also for the refund`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            var sale = yen()
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-04-10 09:00Z", "full", 1_500_000_000)
            try await world.charged(sale)
            try await world.booked("refund", -1_500_000_000, at: "2026-04-10 09:00Z", of: sale)
            for (day, dollars, yen) in [
                ("2026-03-03", "1.2", "150"), ("2026-03-04", "1.25", "160"), ("2026-03-05", "2", "100"),
                ("2026-04-09", "3", "90"),
            ] {
                try await world.rate("USD", dollars, on: day)
                try await world.rate("JPY", yen, on: day)
            }
            // 1500 ÷ 160 × 1.25 = 11.71875; what is published on the day of purchase comes too late for it.
            #expect(
                try await world.converted() == [
                    "2026-03-05|11.718750|0.000000|11.718750|USD|0|ecb 2026-03-04",
                    "2026-04-10|0.000000|11.718750|-11.718750|USD|0|ecb 2026-03-04",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a purchase in the reporting currency needs no rate`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.report(in: "JPY")
            try await world.charged(yen())
            #expect(
                try await world.converted() == ["2026-03-05|1500.000000|0.000000|1500.000000|JPY|0|"])
        }
    }

    @Test func `rates for the reporting currency itself are taken the other way round`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(yen())
            try await world.rate("JPY", "150", on: "2026-03-01", base: "USD", source: "bank")
            // 1500 ÷ 150.
            #expect(
                try await world.converted() == [
                    "2026-03-05|10.000000|0.000000|10.000000|USD|0|bank 2026-03-01"
                ])
        }
    }

    @Test func `D1: without a rate a row stays unconverted and is counted`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(yen())
            try await world.charged(yen(key: 2))
            try await world.rate("USD", "1.25", on: "2026-03-04")
            let unconverted = ["2026-03-05||||USD|2|"]
            #expect(try await world.converted() == unconverted, "no rate of the yen at all")
            try await world.rate("JPY", "160", on: "2026-03-05")
            #expect(try await world.converted() == unconverted, "none before the purchase")
            try await world.rate("JPY", "160", on: "2026-02-01")
            try await world.rate("JPY", nil, on: "2026-03-04")
            #expect(try await world.converted() == unconverted, "no longer quoted by then")
            #expect(
                try await world.revenue() == [
                    "2026-03-05|monthly|JP|JPY|2|0|3000.000000|0.000000|3000.000000|auto_renewable"
                ], "the original currency is whole")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `another source helps where one does not quote`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(yen())
            try await world.rate("USD", "1.25", on: "2026-03-04")
            try await world.rate("JPY", nil, on: "2026-03-04")
            try await world.rate("JPY", "150", on: "2026-02-20", base: "USD", source: "bank", flagged: true)
            #expect(
                try await world.converted() == [
                    "2026-03-05|10.000000|0.000000|10.000000|USD|0|bank 2026-02-20 flagged"
                ])
        }
    }

    @Test func `sums are exact and rounded once, half to even`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.rate("USD", "0.5", on: "2026-03-01")
            for (key, micros, day) in [(1, 1, 5), (2, 1, 5), (3, 1, 6), (4, 3, 7)] as [(Int64, Int64, Int)] {
                var sale = yen(micros, key: key, at: "2026-03-0\(day) 12:00Z")
                sale.currency = "EUR"
                try await world.charged(sale)
            }
            // In millionths: ½ + ½ = 1; ½ → 0; 1½ → 2.
            #expect(
                try await world.converted() == [
                    "2026-03-05|0.000001|0.000000|0.000001|USD|0|ecb 2026-03-01",
                    "2026-03-06|0.000000|0.000000|0.000000|USD|0|ecb 2026-03-01",
                    "2026-03-07|0.000002|0.000000|0.000002|USD|0|ecb 2026-03-01",
                ])
        }
    }

    @Test func `parts that end in no decimal add up to the whole`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            // One euro each at 3, 6 and 2 to the dollar, all given back on one day: ⅓ + ⅙ + ½ = 1.
            for (key, day, rate) in [(1, "2026-03-02", "3"), (2, "2026-03-12", "6"), (3, "2026-03-22", "2")] {
                try await world.rate("EUR", rate, on: day, base: "USD", source: "bank")
                let next = day.dropLast() + "3"
                var sale = yen(1_000_000, key: Int64(key), at: "\(next) 12:00Z")
                sale.currency = "EUR"
                (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-04-10 09:00Z", "full", 1_000_000)
                try await world.charged(sale)
                try await world.booked("refund", -1_000_000, at: "2026-04-10 09:00Z", of: sale)
            }
            #expect(
                try await world.converted() == [
                    "2026-03-03|0.333333|0.000000|0.333333|USD|0|bank 2026-03-02",
                    "2026-03-13|0.166667|0.000000|0.166667|USD|0|bank 2026-03-12",
                    "2026-03-23|0.500000|0.000000|0.500000|USD|0|bank 2026-03-22",
                    "2026-04-10|0.000000|1.000000|-1.000000|USD|0|bank 2026-03-02..2026-03-22",
                ])
        }
    }
}
