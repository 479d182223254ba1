// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import ReportSupport

/// What others got wrong about days and months (each case names whose it was), worked out on paper.
@Suite struct GoldenCalendarTests {
    /// Zone, instant, and the zone's day it falls in.
    static let instants: [(zone: String, instant: String, day: String)] = [
        // One second before midnight in one zone is the next day in another.
        ("UTC", "2026-03-28 23:59:59Z", "2026-03-28"), ("Europe/Berlin", "2026-03-28 23:59:59Z", "2026-03-29"),
        // A day of 23 hours: 29 March 2026 in Berlin is 28 March 23:00 to 29 March 22:00 UTC.
        ("Europe/Berlin", "2026-03-28 22:59:59Z", "2026-03-28"), ("Europe/Berlin", "2026-03-28 23:00Z", "2026-03-29"),
        ("Europe/Berlin", "2026-03-29 21:59:59Z", "2026-03-29"), ("Europe/Berlin", "2026-03-29 22:00Z", "2026-03-30"),
        // One of 25 hours: 25 October is 24 October 22:00 to 25 October 23:00 UTC.
        ("Europe/Berlin", "2026-10-24 22:00Z", "2026-10-25"), ("Europe/Berlin", "2026-10-25 22:59:59Z", "2026-10-25"),
        ("Europe/Berlin", "2026-10-25 23:00Z", "2026-10-26"),
        // Los Angeles, where App Store rows live when the zone is `store`: 8 March has 23 hours (08:00 to 07:00 UTC),
        // 1 November has 25 (07:00 to 08:00 UTC).
        ("store", "2026-03-08 08:00Z", "2026-03-08"), ("store", "2026-03-09 06:59:59Z", "2026-03-08"),
        ("America/Los_Angeles", "2026-03-09 07:00Z", "2026-03-09"), ("store", "2026-11-02 07:59:59Z", "2026-11-01"),
        ("store", "2026-11-02 08:00Z", "2026-11-02"), ("UTC", "2026-11-02 07:59:59Z", "2026-11-02"),
    ]

    @Test(arguments: instants.indices)
    func
        `Golden: 23:59:59 in one zone is the next day in another, and days of 23 and 25 hours contain their own (Stripe)`(
            place: Int
        ) async throws
    {
        let (zone, instant, day) = Self.instants[place]
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-12-30")
            // One begins at the instant, one ends at it; one was refunded at it.
            try await world.charged(Sale(product: "starts", from: instant, to: "2027-11-20 12:00Z"))
            try await world.charged(Sale(key: 2, product: "ends", from: "2026-01-10 12:00Z", to: instant))
            try await world.became("expired", key: 2, at: instant, reason: "voluntary", expires: instant)
            var refunded = Sale(key: 3, product: "paid back", from: "2026-01-10 12:00Z", to: "2027-01-10 12:00Z")
            (refunded.refundedAt, refunded.refundKind, refunded.refund) = (instant, "full", 9_990_000)
            try await world.charged(refunded)
            try await world.booked("refund", -9_990_000, at: instant, of: refunded)
            try await world.became("revoked", key: 3, at: instant, reason: "refund", expires: refunded.to)
            let moved = try await world.bridge(through: "2026-12-30", zone: zone).filter { !$0.hasPrefix("2026-01-10") }
            #expect(
                moved.map { $0.prefix { $0 != ":" } } == [
                    "\(day) ends USD", "\(day) paid back USD", "\(day) starts USD",
                ])
            #expect(
                try await world.ends(through: "2026-12-30", zone: zone) == [
                    "\(day) ends: opening 1, voluntary 1, rate 1.000000",
                    "\(day) paid back: opening 1, refund 1, rate 1.000000",
                ])
            #expect(try await world.openings(through: day, zone: zone).last == "\(day) 2")
            #expect(try await world.subscribers(on: day, zone: zone) == ["starts: active 1"])
            let money = try await world.revenue(zone: zone).filter { !$0.hasPrefix("2026-01-10") }
            #expect(
                money == [
                    "\(day)|paid back|US|USD|0|1|0.000000|9.990000|-9.990000|auto_renewable",
                    "\(day)|starts|US|USD|1|0|9.990000|0.000000|9.990000|auto_renewable",
                ])
        }
    }

    /// Months are those of the calendar in the zone of the report.
    ///
    /// No rule of weeks is ever computed, and so none can be wrong: Apple's fiscal months of four and five weeks are
    /// not among the reports.
    @Test
    func `Golden: December 2022 is the month of the calendar exactly (AppSales-Mobile fork, PR 65)`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2023-01-31")
            // The first and last seconds of the month in Los Angeles (UTC−8), and their neighbours.
            for (key, instant) in [
                (1, "2022-12-01 07:59:59Z"), (2, "2022-12-01 08:00:00Z"), (3, "2022-12-25 12:00:00Z"),
                (4, "2023-01-01 07:59:59Z"), (5, "2023-01-01 08:00:00Z"),
            ] as [(Int64, String)] {
                try await world.charged(Sale(key: key, from: instant, to: "2023-12-25 12:00Z", price: 12_000_000))
            }
            let months = try await world.reported(
                """
                select to_char(date, 'yyyy-mm') as month, sum(charges) from revenue group by 1 order by 1 desc
                """, through: "2023-01-31", zone: "store")
            #expect(months == ["2023-01|1", "2022-12|3", "2022-11|1"])
            let metrics = try await world.reported(
                "select month, opening, active from metrics order by month", through: "2023-01-31", zone: "store")
            #expect(metrics == ["2022-11|0|1", "2022-12|1|4", "2023-01|4|5"])
            let cohorts = try await world.reported(
                "select cohort_month, cohort_size from cohorts where month_number = 0 order by cohort_month",
                through: "2023-01-31", zone: "store")
            #expect(cohorts == ["2022-11|1", "2022-12|3", "2023-01|1"])
        }
    }
}
