// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import ReportSupport

/// Each charge spread over its service period, to the second; every figure was reckoned by hand.
@Suite struct RecognisedTests {
    /// Ten days for 10.00: one a day.
    private let tenDays = Sale(from: "2026-03-01 00:00Z", to: "2026-03-11 00:00Z", price: 10_000_000)

    @Test func `D6: a charge is spread evenly over its service period`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(tenDays)
            #expect(
                try await world.recognised() == [
                    "2026-03-01|1.000000|9.000000", "2026-03-02|1.000000|8.000000", "2026-03-03|1.000000|7.000000",
                    "2026-03-04|1.000000|6.000000", "2026-03-05|1.000000|5.000000", "2026-03-06|1.000000|4.000000",
                    "2026-03-07|1.000000|3.000000", "2026-03-08|1.000000|2.000000", "2026-03-09|1.000000|1.000000",
                    "2026-03-10|1.000000|0.000000",
                ])
            #expect(
                try await world.recognised(from: "2026-03-03", through: "2026-03-04") == [
                    "2026-03-03|1.000000|7.000000", "2026-03-04|1.000000|6.000000",
                ], "a period of days shows what the whole does")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `the days add up to the charge, to the micro`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-30")
            // 9.99 ÷ 31 = 0.32225806…: cumulatively 0.322258, 0.644516, 0.966774, 1.289032, 1.611290, 1.933548, 2.255806 (.5),
            try await world.charged(Sale(from: "2026-03-01 00:00Z", to: "2026-04-01 00:00Z"))
            let days = try await world.recognised()
            #expect(days.count == 31)
            #expect(days.first == "2026-03-01|0.322258|9.667742")
            // 30 days: 9.667741.935… leaves 0.322258 for the last one.
            #expect(days.last == "2026-03-31|0.322258|0.000000")
            #expect(
                try await world.reported(
                    "select sum(recognised)::text from recognised", through: "2026-04-30")
                    == ["9.990000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `halves are rounded to even, and nothing is lost`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            // Five millionths over two days: 2.5 → 2, then 3.
            try await world.charged(Sale(from: "2026-03-01 00:00Z", to: "2026-03-03 00:00Z", price: 5))
            #expect(
                try await world.recognised() == ["2026-03-01|0.000002|0.000003", "2026-03-02|0.000003|0.000000"])
        }
    }

    /// Five millionths over two days, three times: 7.5 → 8 of 15 by the first evening, where each by itself would be 2.
    @Test func `charges of a product are summed exactly and rounded once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            for key in Int64(1)...3 {
                try await world.charged(
                    Sale(key: key, from: "2026-03-01 00:00Z", to: "2026-03-03 00:00Z", price: 5))
            }
            #expect(
                try await world.recognised() == ["2026-03-01|0.000008|0.000007", "2026-03-02|0.000007|0.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// A millionth over three days and one over six: 1/3 + 1/6 is a half (0), 2/3 + 2/6 one, 1 + 3/6 one and a half (2).
    @Test func `periods of several lengths make a half together`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(Sale(from: "2026-03-01 00:00Z", to: "2026-03-04 00:00Z", price: 1))
            try await world.charged(Sale(key: 2, from: "2026-03-01 00:00Z", to: "2026-03-07 00:00Z", price: 1))
            #expect(
                try await world.recognised() == [
                    "2026-03-01|0.000000|0.000002", "2026-03-02|0.000001|0.000001", "2026-03-03|0.000001|0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    /// Sold and billed on the last day of February for an instant of the next midnight.
    @Test func `what covers no time is earned on the day of its instant, midnight too`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            let sale = Sale(product: "coins", kind: "one_time", from: "2026-03-01 00:00Z", price: 1_990_000)
            try await world.sold(sale)
            try await world.booked("charge", 1_990_000, at: "2026-02-28 20:00Z", of: sale)
            #expect(
                try await world.recognised() == ["2026-02-28|0.000000|1.990000", "2026-03-01|1.990000|0.000000"])
            #expect(
                try await world.failedChecks() == ["entries_stand_at_their_instants"],
                "it is billed before it is bought")
        }
    }

    /// Ten days for 10.00, superseded at the midnight after the fifth: what is left is earned on the sixth.
    @Test func `what another one takes the place of at midnight is earned with that day`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = tenDays
            sale.isUpgraded = true
            try await world.charged(sale)
            try await world.charged(
                Sale(
                    id: "t2", product: "pro", kind: "upgrade", from: "2026-03-06 00:00Z", to: "2026-03-16 00:00Z",
                    price: 20_000_000))
            #expect(
                try await world.reported(
                    "select date, recognised::text, deferred::text from recognised where product_id = 'monthly' order by date",
                    through: "2026-12-31"
                ).suffix(2) == ["2026-03-05|1.000000|5.000000", "2026-03-06|5.000000|0.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `days of the report's zone are cut to the second`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            // 48 hours from noon UTC for 4.80: 0.10 an hour. In Los Angeles 8 March begins at 08:00 UTC and has 23 hours.
            try await world.charged(Sale(from: "2026-03-08 12:00Z", to: "2026-03-10 12:00Z", price: 4_800_000))
            #expect(
                try await world.recognised() == [
                    "2026-03-08|1.200000|3.600000", "2026-03-09|2.400000|1.200000", "2026-03-10|1.200000|0.000000",
                ])
            // 12:00 to 07:00 UTC (the clocks went forward): 19 hours; then 24; then 5.
            #expect(
                try await world.recognised(zone: "America/Los_Angeles") == [
                    "2026-03-08|1.900000|2.900000", "2026-03-09|2.400000|0.500000", "2026-03-10|0.500000|0.000000",
                ])
        }
    }

    @Test func `a renewal paid early is deferred until its period begins`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.sold(Sale(from: "2026-03-02 00:00Z", to: "2026-03-04 00:00Z", price: 2_000_000))
            try await world.booked(
                "charge", 2_000_000, at: "2026-03-01 06:00Z", of: Sale(from: "2026-03-02 00:00Z", price: 2_000_000))
            #expect(
                try await world.recognised() == [
                    "2026-03-01|0.000000|2.000000", "2026-03-02|1.000000|1.000000", "2026-03-03|1.000000|0.000000",
                ])
        }
    }

    @Test func `D6: a refund takes back what was recognised on its day, and the rest from deferred`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = tenDays
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-06 00:00Z", "full", 10_000_000)
            try await world.charged(sale)
            try await world.booked("refund", -10_000_000, at: "2026-03-06 00:00Z", of: sale)
            #expect(
                try await world.recognised().suffix(2) == [
                    "2026-03-05|1.000000|5.000000", "2026-03-06|-5.000000|0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a partial refund leaves its share to the days that follow`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = tenDays
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-06 06:00Z", "partial", 4_000_000)
            try await world.charged(sale)
            try await world.booked("refund", -4_000_000, at: "2026-03-06 06:00Z", of: sale)
            // By 06:00 5.25 were earned, 40 % of it goes back (2.10); 0.25 before and 0.75 × 0.6 after: 0.25 − 2.10 + 0.45.
            #expect(
                try await world.recognised().suffix(6) == [
                    "2026-03-05|1.000000|5.000000", "2026-03-06|-1.400000|2.400000", "2026-03-07|0.600000|1.800000",
                    "2026-03-08|0.600000|1.200000", "2026-03-09|0.600000|0.600000", "2026-03-10|0.600000|0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a late refund and its reversal move their own days`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-05-30")
            try await world.charged(tenDays)
            try await world.oncePaidBack(tenDays, 10_000_000, at: "2026-04-20 09:00Z")
            try await world.booked("refund", -10_000_000, at: "2026-04-20 09:00Z", of: tenDays)
            try await world.booked("refund_reversal", 10_000_000, at: "2026-05-02 09:00Z", of: tenDays)
            #expect(
                try await world.recognised().suffix(3) == [
                    "2026-03-10|1.000000|0.000000", "2026-04-20|-10.000000|0.000000", "2026-05-02|10.000000|0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a corrected price is spread from the start`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var sale = tenDays
            try await world.charged(sale)
            sale.price = 20_000_000
            try await world.sold(sale)
            try await world.booked("correction", -10_000_000, at: sale.from, of: sale)
            try await world.booked("correction", 20_000_000, at: sale.from, of: sale)
            #expect(try await world.recognised().first == "2026-03-01|2.000000|18.000000")
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `a one-time sale is earned at once`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            try await world.charged(
                Sale(product: "coins", kind: "one_time", from: "2026-03-01 00:00Z", price: 1_990_000))
            #expect(try await world.recognised() == ["2026-03-01|1.990000|0.000000"])
            #expect(try await world.failedChecks().isEmpty)
        }
    }

    @Test func `amounts beyond an integer's product are exact`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2027-03-30")
            // 15 000 000 rupiah for a year: 15·10¹² micros × 31 536 000 seconds is more than 2⁶³. A day is 41 095.890411.
            try await world.charged(
                Sale(from: "2026-01-01 00:00Z", to: "2027-01-01 00:00Z", price: 15_000_000_000_000, currency: "IDR"))
            #expect(
                try await world.recognised(through: "2026-01-01") == ["2026-01-01|41095.890411|14958904.109589"])
        }
    }

    /// Ten days of a plan for 10.00 and of its add-on for 5.00, replaced on the noon of the sixth: five and a half days of
    /// the plan are earned by then, the rest of both when the successor begins.
    @Test
    func `D6: an order of several products is earned until its successor, not until its other line`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-03-30")
            var plan = tenDays
            (plan.store, plan.isUpgraded) = ("google_play", true)
            var addOn = plan
            (addOn.product, addOn.price) = ("addon", 5_000_000)
            try await world.charged(plan)
            try await world.charged(addOn)
            try await world.sold(
                Sale(
                    key: 2, id: "t2", product: "pro", kind: "upgrade", from: "2026-03-06 12:00Z",
                    to: "2026-03-11 00:00Z", price: 0, store: "google_play", lineage: 1))
            #expect(
                try await world.recognised() == [
                    "2026-03-01|0.500000|4.500000", "2026-03-01|1.000000|9.000000", "2026-03-02|0.500000|4.000000",
                    "2026-03-02|1.000000|8.000000", "2026-03-03|0.500000|3.500000", "2026-03-03|1.000000|7.000000",
                    "2026-03-04|0.500000|3.000000", "2026-03-04|1.000000|6.000000", "2026-03-05|0.500000|2.500000",
                    "2026-03-05|1.000000|5.000000", "2026-03-06|2.500000|0.000000", "2026-03-06|5.000000|0.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
        }
    }
}
