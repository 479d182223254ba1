// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport
import Testing

@testable import ReportSupport

/// Tax and proceeds where the store tells none: by tax table and commission rules, each figure reckoned by hand.
@Suite struct ProceedsTests {
    @Test func `D2: what is not reported is estimated by tax table and commission, and labelled`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("DE", "0.16", inclusive: true, from: "2020-07-01")
            try await world.tax("DE", "0.19", inclusive: true, from: "2021-01-01")
            try await world.tax("US", "0", inclusive: false)
            try await world.charged(
                Sale(
                    from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z", price: 11_900_000, currency: "EUR",
                    country: "DE"))
            try await world.charged(Sale(key: 2, from: "2026-03-02 10:00Z", to: "2026-04-02 10:00Z"))
            // 11.90 ÷ 1.19 = 10.00, × 0.7 = 7.00; 9.99 × 0.7 = 6.993.
            #expect(
                try await world.proceeds() == [
                    "2026-03-01|11.900000|1.900000|7.000000|1.000000",
                    "2026-03-02|9.990000|0.000000|6.993000|1.000000",
                ])
            #expect(try await world.failedChecks().isEmpty)
            #expect(
                try await world.connection.lines("select tax_micros, proceeds_micros from subledger.ledger_entries")
                    == [
                        "|", "|",
                    ], "an estimate is never written into the ledger")
        }
    }

    @Test func `where no rule is known the amount is missing`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.charged(Sale(from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z"))
            try await world.charged(Sale(key: 2, from: "2026-03-02 10:00Z", to: "2026-04-02 10:00Z", country: nil))
            #expect(
                try await world.proceeds() == ["2026-03-01|9.990000|||0.000000", "2026-03-02|9.990000|||0.000000"],
                "no tax rate for the country, and no country")
            #expect(
                try await world.reported("select missing_share::text from revenue", through: "infinity") == [
                    "1.000000", "1.000000",
                ],
                "missing is no estimate")
        }
    }

    @Test func `what the store reported is taken, and the share says how much is estimated`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("US", "0", inclusive: false)
            let stated = Sale(from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z", store: "google_play")
            try await world.sold(stated)
            try await world.booked(
                "charge", 9_990_000, at: stated.from, of: stated, tax: 1_600_000, proceeds: 7_130_000)
            #expect(try await world.proceeds() == ["2026-03-01|9.990000|1.600000|7.130000|0.000000"])
            // The tax told, the proceeds not: (9.99 − 1.60) × 0.85 = 7.1315; half of the money is estimated then.
            let unstated = Sale(key: 2, from: "2026-03-01 11:00Z", to: "2026-04-01 10:00Z", store: "google_play")
            try await world.sold(unstated)
            try await world.booked("charge", 9_990_000, at: unstated.from, of: unstated, tax: 1_600_000)
            #expect(try await world.proceeds() == ["2026-03-01|19.980000|3.200000|14.261500|0.500000"])
        }
    }

    @Test func `D2: 30 % becomes 15 % after one year of paid service`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-20")
            try await world.tax("US", "0", inclusive: false)
            // A free week, then months from 5 January 2025: the thirteenth begins 365 days later.
            try await world.sold(
                Sale(id: "m0", kind: "trial", from: "2024-12-29 12:00Z", to: "2025-01-05 12:00Z", price: 0, group: "g"))
            for month in 1...13 {
                let (from, to) = (day(month), day(month + 1))
                try await world.charged(
                    Sale(
                        id: "m\(month)", product: month < 6 ? "monthly" : "premium",
                        kind: month == 1 ? "purchase" : "renewal", from: from, to: to, price: 10_000_000, group: "g"))
            }
            let proceeds = try await world.proceeds()
            #expect(proceeds.prefix(12).allSatisfy { $0.hasSuffix("|7.000000|1.000000") })
            #expect(proceeds.last == "2026-01-05|10.000000|0.000000|8.500000|1.000000")
        }
    }

    private func day(_ month: Int) -> String {
        let (year, number) = (2025 + (month - 1) / 12, (month - 1) % 12 + 1)
        return "\(year)-\(number < 10 ? "0" : "")\(number)-05 12:00Z"
    }

    /// When the second year of a yearly plan begins that was paid up to 5 January, noon, and what is left of 10.00.
    @Test(arguments: [
        ("2026-01-05 12:00Z", "8.500000"), ("2026-01-04 10:00Z", "8.500000"), ("2026-01-04 09:00Z", "7.000000"),
    ])
    func `D2: a charge up to 26 hours before the end of the year follows a year`(
        _ early: (from: String, proceeds: String)
    ) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("US", "0", inclusive: false)
            try await world.charged(
                Sale(id: "y1", from: "2025-01-05 12:00Z", to: "2026-01-05 12:00Z", price: 10_000_000, group: "g"))
            try await world.charged(
                Sale(
                    id: "y2", kind: "renewal", from: early.from, to: "2027-01-05 12:00Z", price: 10_000_000, group: "g")
            )
            #expect(try await world.proceeds().last?.contains("|10.000000|0.000000|\(early.proceeds)|1.000000") == true)
        }
    }

    @Test func `D2: weeks that each come a day early fill a year by the days that they add`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("US", "0", inclusive: false)
            // Weeks of seven days from 1 January 2025 on; each begins a day before the end of the one before it and adds six.
            try await world.connection.script(
                """
                create temp table weeks as
                select number, timestamptz '2025-01-01 12:00Z' + number * interval '6 days' as starts_at
                from generate_series(0, 62) number
                """)
            for row in try await world.connection.lines(
                """
                select number, to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI"Z"'),
                    to_char(starts_at at time zone 'UTC' + interval '7 days', 'YYYY-MM-DD HH24:MI"Z"')
                from weeks order by number
                """)
            {
                let parts = row.split(separator: "|").map(String.init)
                try await world.charged(
                    Sale(
                        id: "w\(parts[0])", kind: parts[0] == "0" ? "purchase" : "renewal", from: parts[1],
                        to: parts[2],
                        price: 10_000_000, group: "g"))
            }
            let left = try await world.reported("select proceeds::text from revenue order by date", through: "infinity")
            // 60 weeks of six days each are 360, and a day: 361; 61 are 366 and a day.
            #expect(
                left.prefix(61).allSatisfy { $0 == "7.000000" } && left.dropFirst(61).allSatisfy { $0 == "8.500000" })
        }
    }

    @Test(arguments: [("03-01", "8.500000"), ("03-02", "7.000000")])
    func `D2: 60 days of lapse are bridged, 61 begin again`(_ back: (day: String, proceeds: String)) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-04-20")
            try await world.tax("US", "0", inclusive: false)
            // 365 days paid up to 31 December 2024; 1 March 2025 is 60 days later.
            try await world.charged(
                Sale(id: "y1", from: "2024-01-01 00:00Z", to: "2024-12-31 00:00Z", price: 10_000_000, group: "g"))
            try await world.charged(
                Sale(
                    id: "y2", kind: "resubscribe", from: "2025-\(back.day) 00:00Z", to: "2026-03-01 00:00Z",
                    price: 10_000_000, group: "g"))
            #expect(try await world.proceeds().last == "2025-\(back.day)|10.000000|0.000000|\(back.proceeds)|1.000000")
        }
    }

    @Test func `D2: the small-business programme applies between its dates, for its app`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-10-20")
            try await world.tax("US", "0", inclusive: false)
            try await world.rule("small_business", "0.15", app: "acme-ios", from: "2026-01-01", to: "2026-09-14")
            for (key, app, day) in [
                (1, "acme-ios", "2025-12-31"), (2, "acme-ios", "2026-01-01"), (3, "acme-ios", "2026-09-13"),
                (4, "acme-ios", "2026-09-14"), (5, "acme-receipts", "2026-09-12"),
            ] {
                try await world.charged(
                    Sale(key: Int64(key), app: app, from: "\(day) 12:00Z", to: "2027-01-01 12:00Z", price: 10_000_000))
            }
            #expect(
                try await world.proceeds() == [
                    "2025-12-31|10.000000|0.000000|7.000000|1.000000",
                    "2026-01-01|10.000000|0.000000|8.500000|1.000000",
                    "2026-09-12|10.000000|0.000000|7.000000|1.000000",
                    "2026-09-13|10.000000|0.000000|8.500000|1.000000",
                    "2026-09-14|10.000000|0.000000|7.000000|1.000000",
                ])
        }
    }

    /// Region, day, kind, and what is left of 10.00 on Google Play.
    private static let play: [(country: String, day: String, kind: String, left: String)] = [
        ("US", "2017-06-30", "purchase", "7.000000"),
        ("US", "2021-12-31", "purchase", "7.000000"), ("US", "2022-01-01", "purchase", "8.500000"),
        // 10 % service and 5 % billing.
        ("US", "2026-06-30", "purchase", "8.500000"), ("GB", "2026-06-30", "purchase", "8.500000"),
        ("DE", "2026-06-30", "purchase", "8.500000"),
        ("AU", "2026-09-29", "purchase", "8.500000"), ("AU", "2026-09-30", "purchase", "8.500000"),
        // The billing fee of these is not announced: 5 % as elsewhere.
        ("KR", "2026-12-30", "purchase", "8.500000"), ("KR", "2026-12-31", "purchase", "8.500000"),
        ("JP", "2027-09-29", "purchase", "8.500000"), ("BR", "2027-09-30", "purchase", "8.500000"),
        ("US", "2026-07-01", "one_time", "7.000000"), ("US", "2026-07-01", "top_up", "8.500000"),
    ]

    @Test(arguments: play)
    func `D2: Play's service and billing fees by region and date`(
        _ sale: (country: String, day: String, kind: String, left: String)
    ) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2027-12-31")
            try await world.tax(sale.country, "0", inclusive: false)
            try await world.charged(
                Sale(
                    kind: sale.kind, from: "\(sale.day) 12:00Z",
                    to: sale.kind == "one_time" ? nil : "2028-01-01 00:00Z",
                    price: 10_000_000, country: sale.country, store: "google_play"))
            #expect(try await world.proceeds() == ["\(sale.day)|10.000000|0.000000|\(sale.left)|1.000000"])
        }
    }

    @Test func `a refund takes its share of the estimate by the rules of the purchase`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-10-20")
            try await world.tax("DE", "0.19", inclusive: true)
            try await world.rule("small_business", "0.15", app: "acme-ios", from: "2026-03-10")
            var sale = Sale(
                from: "2026-03-01 10:00Z", to: "2026-04-01 10:00Z", price: 11_900_000, currency: "EUR", country: "DE")
            (sale.refundedAt, sale.refundKind, sale.refund) = ("2026-03-15 09:00Z", "full", 11_900_000)
            try await world.charged(sale)
            try await world.booked("refund", -11_900_000, at: "2026-03-15 09:00Z", of: sale)
            #expect(
                try await world.proceeds() == [
                    "2026-03-01|11.900000|1.900000|7.000000|1.000000",
                    "2026-03-15|-11.900000|-1.900000|-7.000000|1.000000",
                ])
        }
    }
}
