// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// The head of the page in the reporting currency: what was converted, what was left out, and whose word the prices are.
@Suite struct PageHeadTests {
    private static let dollars = Sale(key: 1, from: "2026-02-06 10:00Z", to: "2026-03-06 10:00Z")
    private static let euros = Sale(
        key: 2, from: "2026-02-06 11:00Z", to: "2026-03-06 11:00Z", price: 8_000_000, currency: "EUR")
    private static let yen = Sale(
        key: 3, from: "2026-02-06 12:00Z", to: "2026-03-06 12:00Z", price: 1_000_000_000, currency: "JPY")

    private static func page(
        of world: ReportWorld, seal: Int64 = 1, for date: String = "2026-02-06", in language: String = "en"
    ) async throws -> String {
        var page = ""
        try await withTemporaryDirectory { directory in
            let now = try #require(Instant(iso8601: "\(date)T02:00:00Z")) + .days(1)
            let issued = try await ReportStage().issue(
                on: world.connection,
                request: ReportRequest(
                    seal: seal, runID: seal, businessDate: try #require(BusinessDate(date)), asOf: now,
                    directory: directory, page: PageOptions(language: language)))
            page = try String(contentsOfFile: "\(issued.path)/report.html", encoding: .utf8)
        }
        return page
    }

    /// 9.99 dollars and 8 euros at 1.25 are 19.99; none quotes the yen.
    @Test func `the head counts what has no rate as unconverted, and says what is estimated`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.rate("USD", "1.25", on: "2026-02-05")
            for sale in [Self.dollars, Self.euros, Self.yen] { try await world.charged(sale) }
            let page = try await Self.page(of: world)
            #expect(
                page.contains(
                    ##"<a class="term" href="#revenue.net">Net revenue, 30 days</a></span><span class="amount"><a class="figure" href="#revenue">19.99<"##
                ))
            #expect(page.contains("Movements without an exchange rate, left out: 1."))
            #expect(
                page.contains("acme-ios: movements without an exchange rate, left out of the reporting currency: 1."))
            #expect(page.contains("100.0% of what moved has proceeds that nobody knows."))
            #expect(!page.contains("at the prices of your list"))
        }
    }

    /// Nights of the 6th, 9th and 10th: the page of the 9th names the two dates between, the next one names none.
    @Test func `the next page names the dates on which no night was sealed`() async throws {
        let named = "No night was sealed for the dates from 2026-02-07 to 2026-02-08:"
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.charged(Self.dollars)
            #expect(try await !Self.page(of: world).contains("No night was sealed"))
            try await world.night(2, for: "2026-02-09")
            #expect(try await Self.page(of: world, seal: 2, for: "2026-02-09").contains(named))
            let japanese = try await Self.page(of: world, seal: 2, for: "2026-02-09", in: "ja")
            #expect(japanese.contains("2026-02-07 から 2026-02-08 までは夜間処理が完了していないため"))
            try await world.night(3, for: "2026-02-10")
            #expect(try await !Self.page(of: world, seal: 3, for: "2026-02-10").contains("No night was sealed"))
        }
    }

    /// 11.90 with 19 % tax in it, of which the App Store leaves 70 %, and 5.00 of an unknown country.
    @Test(arguments: [false, true])
    func `MRR net of tax and as proceeds names the share that is missing`(hasUnknown: Bool) async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.tax("DE", "0.19", inclusive: true)
            try await world.rate("USD", "1", on: "2020-01-01")
            let sales = [(1, 11_900_000, "DE"), (2, 5_000_000, nil)] as [(Int64, Int64, String?)]
            for (key, price, country) in sales.prefix(hasUnknown ? 2 : 1) {
                try await world.charged(
                    Sale(
                        key: key, from: "2026-02-01 12:00Z", to: "2026-03-01 12:00Z", price: price, currency: "EUR",
                        country: country))
                try await world.became("active", key: key, at: "2026-02-01 12:00Z", expires: "2026-03-01 12:00Z")
            }
            let page = try await Self.page(of: world)
            let card = "net of tax 10.00, proceeds 7.00"
            let sentence = "Net of tax it is 10.00 USD, as proceeds 7.00 USD"
            let isLeftOut = "; neither a store nor a rule tells them of 29.6% and 29.6% of it, which is left out"
            #expect(page.contains(card + (hasUnknown ? "; not known of 29.6% and 29.6% of MRR<" : "<")))
            #expect(page.contains(sentence + (hasUnknown ? isLeftOut : "") + ".<"))
        }
    }

    /// Also where there is no total at all: all of it may be missing.
    @Test(arguments: [true, false])
    func `totals say where sales on the owner's own billing are missing, as configured when the report was sealed`(
        hasSales: Bool
    ) async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.apps (app_id, store) values ('acme-ios', 'google_play') on conflict do nothing;
                insert into subledger.own_billing (app_id, has_own_billing, after_seal)
                values ('acme-ios', true, 0), ('acme-ios', false, 1);
                """)
            try await world.night(1, for: "2026-02-06", issued: false)
            try await world.covered(1, app: "acme-ios", due: 1, checked: 1)
            if hasSales { try await world.charged(Self.dollars) }
            let page = try await Self.page(of: world)
            #expect(page.contains(##"<a class="figure" href="#revenue">9.99<"##) == hasSales)
            #expect(page.contains("acme-ios also sells on billing of its owner"))
            #expect(page.contains("such sales make no order at the store, and are in no total."))
        }
    }

    @Test func `the manifest names the apps whose owner also sells on his own billing, as of its seal`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.script(
                """
                insert into subledger.own_billing (app_id, has_own_billing, after_seal)
                values ('acme-ios', true, 0), ('acme-ios', false, 1), ('acme-receipts', true, 1)
                """)
            for (seal, day) in [(1, "2026-02-06"), (2, "2026-02-07")] as [(Int64, String)] {
                try await world.night(seal, for: day, issued: false)
                for app in ["acme-ios", "acme-receipts"] { try await world.covered(seal, app: app, due: 1, checked: 1) }
            }
            for (seal, day, own) in [
                (1, "2026-02-06", [true, nil]), (2, "2026-02-07", [nil, true]),
            ] as [(Int64, String, [Bool?])] {
                try await withTemporaryDirectory { directory in
                    let issued = try await ReportStage().issue(
                        on: world.connection,
                        request: ReportRequest(
                            seal: seal, runID: seal, businessDate: try #require(BusinessDate(day)),
                            asOf: try #require(Instant(iso8601: "\(day)T23:00:00Z")), directory: directory))
                    let data = try #require(FileManager.default.contents(atPath: "\(issued.path)/manifest.json"))
                    let coverage = try Manifest(json: data).coverage
                    #expect(coverage.map(\.appID) == ["acme-ios", "acme-receipts"])
                    #expect(coverage.map(\.ownBilling) == own)
                    // By this name; where there is none, nothing is said of it.
                    #expect(String(decoding: data, as: UTF8.self).components(separatedBy: "own_billing").count == 2)
                }
            }
        }
    }

    @Test
    func `the part of a total that is at the owner's list prices is reported, by row and in the head`() async throws {
        try await ReportWorld.with { world in
            try await world.night(1, for: "2026-02-06")
            try await world.rate("USD", "1.25", on: "2026-02-05")
            for sale in [Self.dollars, Self.euros] { try await world.charged(sale) }
            try await world.connection.script(
                """
                alter table subledger.ledger_entries disable trigger all;
                alter table subledger.transaction_versions disable trigger all;
                update subledger.ledger_entries set source = 'price_list' where subscription_key = 2;
                update subledger.transactions set price_source = 'price_list' where subscription_key = 2;
                update subledger.transaction_versions set price_source = 'price_list' where subscription_key = 2;
                """)
            #expect(
                try await world.reported(
                    """
                    select currency, listed_share from revenue
                    order by currency
                    """, through: "2026-02-06") == ["EUR|1.000000", "USD|0.000000"])
            // 10.00 of 19.99.
            let page = try await Self.page(of: world)
            #expect(page.contains("50.0% of what moved is at the prices of your list: the store gave none."))
            #expect(!page.contains("without an exchange rate"))
        }
    }
}
