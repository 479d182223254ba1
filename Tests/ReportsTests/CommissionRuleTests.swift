// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The published commission rules, on both sides of each first day; expectations from the stores' pages that the rows name.
@Suite struct CommissionRuleTests {
    /// One sale at two days: what the store keeps on the day before, and from the day on (`U`: not settled).
    struct Change: CustomTestStringConvertible, Sendable {
        let store: String
        let countries: String
        var type = "auto_renewable"
        var hasPaidAYear = false
        var isMember = false
        let dayBefore: String
        let day: String
        let before: String
        let after: String

        var testDescription: String { "\(store) \(countries) \(type) \(day)" }
    }

    private static let european = "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE"

    private static let appStore = [
        Change(
            store: "app_store", countries: "US CN JP DE", hasPaidAYear: true, dayBefore: "2016-06-12",
            day: "2016-06-13",
            before: "0.30", after: "0.15"),
        Change(
            store: "app_store", countries: "US CN JP DE", isMember: true, dayBefore: "2020-12-31", day: "2021-01-01",
            before: "0.30", after: "0.15"),
        Change(
            store: "app_store", countries: "CN", dayBefore: "2026-03-14", day: "2026-03-15", before: "0.30",
            after: "0.25 U"),
        Change(
            store: "app_store", countries: "CN", type: "one_time", dayBefore: "2026-03-14", day: "2026-03-15",
            before: "0.30", after: "0.25 U"),
        Change(
            store: "app_store", countries: "CN", hasPaidAYear: true, dayBefore: "2026-03-14", day: "2026-03-15",
            before: "0.15", after: "0.12 U"),
        Change(
            store: "app_store", countries: "CN", isMember: true, dayBefore: "2026-03-14", day: "2026-03-15",
            before: "0.15",
            after: "0.12 U"),
        // China mainland alone.
        Change(
            store: "app_store", countries: "HK MO TW US", dayBefore: "2026-03-14", day: "2026-03-15", before: "0.30",
            after: "0.30"),
        Change(
            store: "app_store", countries: "JP", dayBefore: "2025-12-16", day: "2025-12-17", before: "0.30",
            after: "0.26 U"),
        Change(
            store: "app_store", countries: "JP", hasPaidAYear: true, dayBefore: "2025-12-16", day: "2025-12-17",
            before: "0.15", after: "0.15"),
        Change(
            store: "app_store", countries: "JP", isMember: true, dayBefore: "2025-12-16", day: "2025-12-17",
            before: "0.15",
            after: "0.15"),
        Change(
            store: "app_store", countries: "BR", dayBefore: "2026-06-17", day: "2026-06-18", before: "0.30",
            after: "0.26 U"),
        Change(
            store: "app_store", countries: "BR", hasPaidAYear: true, dayBefore: "2026-06-17", day: "2026-06-18",
            before: "0.15", after: "0.15"),
        Change(
            store: "app_store", countries: "BR", isMember: true, dayBefore: "2026-06-17", day: "2026-06-18",
            before: "0.15",
            after: "0.15"),
        Change(
            store: "app_store", countries: european, dayBefore: "2026-09-30", day: "2026-10-01", before: "0.30",
            after: "0.26 U"),
        Change(
            store: "app_store", countries: european, hasPaidAYear: true, dayBefore: "2026-09-30", day: "2026-10-01",
            before: "0.15", after: "0.15"),
        Change(
            store: "app_store", countries: european, isMember: true, dayBefore: "2026-09-30", day: "2026-10-01",
            before: "0.15", after: "0.15"),
        Change(
            store: "app_store", countries: "IS NO", dayBefore: "2026-09-30", day: "2026-10-01", before: "0.30",
            after: "0.30 U"),
        Change(
            store: "app_store", countries: "LI GB CH US", dayBefore: "2026-09-30", day: "2026-10-01", before: "0.30",
            after: "0.30"),
    ]

    private static let firstMarkets = "US GB \(european) IS LI NO"

    private static let googlePlay = [
        Change(
            store: "google_play", countries: "US KR DE", hasPaidAYear: true, dayBefore: "2017-12-31", day: "2018-01-01",
            before: "0.30", after: "0.15"),
        Change(
            store: "google_play", countries: "US KR DE", dayBefore: "2021-12-31", day: "2022-01-01", before: "0.30",
            after: "0.15"),
        Change(
            store: "google_play", countries: "US KR IN", type: "one_time", dayBefore: "2021-12-31", day: "2022-01-01",
            before: "0.30", after: "0.30"),
        Change(
            store: "google_play", countries: "US KR IN", type: "one_time", isMember: true, dayBefore: "2021-06-30",
            day: "2021-07-01", before: "0.30", after: "0.15"),
        Change(
            store: "google_play", countries: "US KR IN", type: "prepaid", dayBefore: "2022-05-10", day: "2022-05-11",
            before: "0.30", after: "0.15 U"),
        Change(
            store: "google_play", countries: firstMarkets, dayBefore: "2026-06-29", day: "2026-06-30", before: "0.15",
            after: "0.15"),
        Change(
            store: "google_play", countries: firstMarkets, type: "one_time", dayBefore: "2026-06-29", day: "2026-06-30",
            before: "0.30", after: "0.30 U"),
        Change(
            store: "google_play", countries: firstMarkets, type: "one_time", isMember: true, dayBefore: "2026-06-29",
            day: "2026-06-30", before: "0.15", after: "0.15"),
        Change(
            store: "google_play", countries: "AU JP", dayBefore: "2026-09-29", day: "2026-09-30", before: "0.15",
            after: "0.15"),
        Change(
            store: "google_play", countries: "AU JP", type: "one_time", dayBefore: "2026-09-29", day: "2026-09-30",
            before: "0.30", after: "0.30 U"),
        Change(
            store: "google_play", countries: "AU JP", type: "one_time", isMember: true, dayBefore: "2026-09-29",
            day: "2026-09-30", before: "0.15", after: "0.15"),
        Change(
            store: "google_play", countries: "KR", dayBefore: "2026-12-30", day: "2026-12-31", before: "0.15",
            after: "0.15 U"),
        Change(
            store: "google_play", countries: "KR", type: "one_time", dayBefore: "2026-12-30", day: "2026-12-31",
            before: "0.30", after: "0.30 U"),
        Change(
            store: "google_play", countries: "IN BR CN ZA", dayBefore: "2027-09-29", day: "2027-09-30", before: "0.15",
            after: "0.15 U"),
    ]

    @Test func `each published rate holds from its first day on`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-11-25")
            try await world.connection.script(
                """
                insert into subledger.commission_rules (rule, store, app_id, valid_from, recorded_run_id)
                values
                    ('small_business', 'app_store', 'member', '2015-01-01', 1),
                    ('small_business', 'google_play', 'member', '2015-01-01', 1)
                """)
            for change in Self.appStore + Self.googlePlay {
                for country in change.countries.split(separator: " ") {
                    for (day, expected) in [(change.dayBefore, change.before), (change.day, change.after)] {
                        let found = try await world.connection.lines(
                            """
                            select rate::numeric(3, 2)::text || case when is_unsettled then ' U' else '' end
                            from report.commission_as_of(
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
            let found = try await world.shown(
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
                    from report.commission_as_of(
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
