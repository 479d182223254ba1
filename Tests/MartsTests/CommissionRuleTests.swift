// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ReportSupport

/// The published commission rules, on both sides of each first day; expectations from the stores' pages that the rows name.
@Suite struct CommissionRuleTests {
    /// One sale at two days: what the store keeps on the day before, and from the day on (`U`: not settled).
    struct Change: CustomTestStringConvertible, Sendable {
        let store: String
        let countries: [String]
        let type: String
        let hasPaidAYear: Bool
        let isMember: Bool
        let days: [(day: String, rate: String)]
        let testDescription: String

        init(_ line: Substring) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            store = cells[0]
            countries = cells[1].replacing("EU27", with: CommissionRuleTests.european).split(separator: " ").map(
                String.init)
            type = cells[2]
            (hasPaidAYear, isMember) = (cells[3] == "year", cells[3] == "member")
            days = [(cells[4], cells[6]), (cells[5], cells[7])]
            testDescription = String(line)
        }
    }

    private static let european = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE"

    /// Store, countries, product type, whether after a year of paid service or of a member, the day before and the first day, and what
    /// the store keeps before and from then on.
    private static let changes = """
        app_store | US CN JP DE | auto_renewable | year | 2016-06-12 | 2016-06-13 | 0.30 | 0.15
        app_store | US CN JP DE | auto_renewable | member | 2020-12-31 | 2021-01-01 | 0.30 | 0.15
        app_store | CN | auto_renewable | - | 2026-03-14 | 2026-03-15 | 0.30 | 0.25 U
        app_store | CN | one_time | - | 2026-03-14 | 2026-03-15 | 0.30 | 0.25 U
        app_store | CN | auto_renewable | year | 2026-03-14 | 2026-03-15 | 0.15 | 0.12 U
        app_store | CN | auto_renewable | member | 2026-03-14 | 2026-03-15 | 0.15 | 0.12 U
        app_store | HK MO TW US | auto_renewable | - | 2026-03-14 | 2026-03-15 | 0.30 | 0.30
        app_store | JP | auto_renewable | - | 2025-12-16 | 2025-12-17 | 0.30 | 0.26 U
        app_store | JP | auto_renewable | year | 2025-12-16 | 2025-12-17 | 0.15 | 0.15
        app_store | JP | auto_renewable | member | 2025-12-16 | 2025-12-17 | 0.15 | 0.15
        app_store | BR | auto_renewable | - | 2026-06-17 | 2026-06-18 | 0.30 | 0.26 U
        app_store | BR | auto_renewable | year | 2026-06-17 | 2026-06-18 | 0.15 | 0.15
        app_store | BR | auto_renewable | member | 2026-06-17 | 2026-06-18 | 0.15 | 0.15
        app_store | EU27 | auto_renewable | - | 2026-09-30 | 2026-10-01 | 0.30 | 0.26 U
        app_store | EU27 | auto_renewable | year | 2026-09-30 | 2026-10-01 | 0.15 | 0.15
        app_store | EU27 | auto_renewable | member | 2026-09-30 | 2026-10-01 | 0.15 | 0.15
        app_store | IS NO | auto_renewable | - | 2026-09-30 | 2026-10-01 | 0.30 | 0.30 U
        app_store | LI GB CH US | auto_renewable | - | 2026-09-30 | 2026-10-01 | 0.30 | 0.30
        google_play | US KR DE | auto_renewable | year | 2017-12-31 | 2018-01-01 | 0.30 | 0.15
        google_play | US KR DE | auto_renewable | - | 2021-12-31 | 2022-01-01 | 0.30 | 0.15
        google_play | US KR IN | one_time | - | 2021-12-31 | 2022-01-01 | 0.30 | 0.30
        google_play | US KR IN | one_time | member | 2021-06-30 | 2021-07-01 | 0.30 | 0.15
        google_play | US KR IN | prepaid | - | 2022-05-10 | 2022-05-11 | 0.30 | 0.15 U
        google_play | US GB EU27 IS LI NO | auto_renewable | - | 2026-06-29 | 2026-06-30 | 0.15 | 0.15
        google_play | US GB EU27 IS LI NO | one_time | - | 2026-06-29 | 2026-06-30 | 0.30 | 0.30 U
        google_play | US GB EU27 IS LI NO | one_time | member | 2026-06-29 | 2026-06-30 | 0.15 | 0.15
        google_play | AU JP | auto_renewable | - | 2026-09-29 | 2026-09-30 | 0.15 | 0.15
        google_play | AU JP | one_time | - | 2026-09-29 | 2026-09-30 | 0.30 | 0.30 U
        google_play | AU JP | one_time | member | 2026-09-29 | 2026-09-30 | 0.15 | 0.15
        google_play | KR | auto_renewable | - | 2026-12-30 | 2026-12-31 | 0.15 | 0.15 U
        google_play | KR | one_time | - | 2026-12-30 | 2026-12-31 | 0.30 | 0.30 U
        google_play | IN BR CN ZA | auto_renewable | - | 2027-09-29 | 2027-09-30 | 0.15 | 0.15 U
        """.split(separator: "\n").map(Change.init)

    @Test func `each published rate applies from its first day on`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-11-25")
            try await world.connection.script(
                """
                insert into subledger.commission_rules (rule, store, app_id, valid_from, recorded_run_id)
                values
                    ('small_business', 'app_store', 'member', '2015-01-01', 1),
                    ('small_business', 'google_play', 'member', '2015-01-01', 1)
                """)
            try #require(Self.changes.count == 32)
            for change in Self.changes {
                for country in change.countries {
                    for (day, expected) in change.days {
                        let found = try await world.connection.lines(
                            """
                            select rate::numeric(3, 2)::text || case when is_unsettled then ' U' else '' end
                            from marts.commission_as_of(
                                1, '\(change.store)', '\(change.isMember ? "member" : "other")', '\(country)',
                                '\(change.type)', '\(day)', \(change.hasPaidAYear))
                            """)
                        #expect(found == [expected], "\(change.testDescription) in \(country), \(day)")
                    }
                }
            }
        }
    }

    /// Country, currency, price, tax rate, day and what is left of it, by hand: price ÷ (1 + tax) × (1 − rate).
    struct Example: Sendable {
        let country: String
        let currency: String
        let price: Int64
        let tax: String
        let day: String
        let left: String
    }

    private static let examples = [
        Example(
            country: "CN", currency: "CNY", price: 68_000_000, tax: "0", day: "2026-03-14", left: "47.600000|0.000000"),
        Example(
            country: "CN", currency: "CNY", price: 68_000_000, tax: "0", day: "2026-03-15", left: "51.000000|1.000000"),
        Example(
            country: "JP", currency: "JPY", price: 1_100_000_000, tax: "0.10", day: "2025-12-16",
            left: "700.000000|0.000000"),
        Example(
            country: "JP", currency: "JPY", price: 1_100_000_000, tax: "0.10", day: "2025-12-17",
            left: "740.000000|1.000000"),
        Example(
            country: "BR", currency: "BRL", price: 100_000_000, tax: "0", day: "2026-06-17", left: "70.000000|0.000000"),
        Example(
            country: "BR", currency: "BRL", price: 100_000_000, tax: "0", day: "2026-06-18", left: "74.000000|1.000000"),
        Example(
            country: "DE", currency: "EUR", price: 11_900_000, tax: "0.19", day: "2026-09-30", left: "7.000000|0.000000"
        ),
        Example(
            country: "DE", currency: "EUR", price: 11_900_000, tax: "0.19", day: "2026-10-01", left: "7.400000|1.000000"
        ),
    ]

    @Test(arguments: Self.examples)
    func `D2: proceeds on both sides of a day, and how much of them is not settled`(_ example: Example) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-11-25")
            try await world.tax(example.country, example.tax, inclusive: true)
            try await world.charged(
                Sale(
                    from: "\(example.day) 12:00Z", to: "2027-01-01 12:00Z", price: example.price,
                    currency: example.currency, country: example.country))
            let found = try await world.reported(
                "select proceeds::text, unsettled_share::text from revenue", through: "infinity")
            #expect(found == [example.left])
        }
    }

    @Test func `an owner's rate counts before the published one of its rule, and the lowest of the rules`() async throws
    {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-11-25")
            // Its account agreed in November; a programme by contract for one product type.
            try await world.rule("standard", "0.30", country: "DE", from: "2026-10-01")
            try await world.rule("standard", "0.26", country: "DE", from: "2026-11-02")
            try await world.rule("small_business", "0.11", app: "partner", country: "JP", from: "2026-01-01")
            try await world.rule("small_business", "null", app: "partner", from: "2026-01-01", to: "2026-09-14")
            func rate(_ app: String, _ country: String, _ day: String, _ hasPaidAYear: Bool = false) async throws
                -> String
            {
                try await world.connection.lines(
                    """
                    select rate::numeric(3, 2)::text || case when is_unsettled then ' U' else '' end
                    from marts.commission_as_of(
                        1, 'app_store', '\(app)', '\(country)', 'auto_renewable', '\(day)', \(hasPaidAYear))
                    """
                ).joined()
            }
            #expect(try await rate("other", "DE", "2026-11-01") == "0.30")
            #expect(try await rate("other", "DE", "2026-11-02") == "0.26", "the owner's own is settled")
            #expect(try await rate("other", "FR", "2026-11-02") == "0.26 U")
            #expect(try await rate("other", "DE", "2026-11-02", true) == "0.15")
            #expect(try await rate("partner", "JP", "2026-09-13") == "0.11")
            #expect(try await rate("partner", "JP", "2026-09-14") == "0.11", "this one does not end")
            #expect(try await rate("partner", "US", "2026-09-13") == "0.15")
            #expect(try await rate("partner", "US", "2026-09-14") == "0.30", "the membership is over")
            #expect(try await rate("partner", "CN", "2026-04-01") == "0.12 U")
        }
    }
}
