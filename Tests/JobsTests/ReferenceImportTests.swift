// SPDX-License-Identifier: Apache-2.0

import Imports
import Model
import Postgres
import Runs
import TestSupport
import Testing

/// What any of the owner's lists has to keep to, and those of fees and taxes, against a real database.
@Suite struct ReferenceImportTests {
    @Test func `a repeated column is named: which of two prices is meant is unknown`() async throws {
        try await withLedgerDatabase { connection, database in
            let prices = try await ReferenceLists.take(
                "app_id,product_id,currency,price,price\nacme-ios,p,USD,1,2\n", as: .prices, database)
            #expect(ReferenceLists.said(prices.bad) == ["1: the header names `price` twice"])
            let rates = try await ReferenceLists.take(
                "Date,USD,JPY,USD,\n2026-03-09,1.1,160,1.2,\n", as: .fxRates(base: nil, source: "import"),
                database)
            #expect(ReferenceLists.said(rates.bad) == ["1: the header names `USD` twice"])
            let lines = try await ReferenceLists.take(
                #"{"app_id":"acme-ios","product_id":"p","currency":"USD","price":1.5,"price":2}"#, as: .prices,
                database)
            #expect(ReferenceLists.said(lines.bad) == ["1: it names `price` twice"])
        }
    }

    @Test func `reference data is never rewritten`() async throws {
        try await withLedgerDatabase { connection, _ in
            for table in ["products", "prices", "fx_rates", "commission_rules", "tax_rates"] {
                let triggers = try await connection.lines(
                    "select tgname from pg_trigger where tgrelid = 'subledger.\(table)'::regclass and not tgisinternal")
                #expect(triggers == ["append_only"], "subledger.\(table)")
            }
            await #expect(throws: PostgresError.self) {
                try await connection.script("update subledger.commission_rules set rate = 0")
            }
        }
    }

    @Test func `an app with an open run takes no prices, and rates go in beside it`() async throws {
        try await withLedgerDatabase { connection, database in
            _ = try await RunLedger(connection: connection).open(
                .nightly, apps: [AppID("acme-ios")], now: try #require(Instant(iso8601: "2026-03-10T02:00:00Z")),
                businessDate: try #require(BusinessDate("2026-03-09")))
            await #expect {
                try await ReferenceLists.take(
                    "app_id,product_id,country,currency,price,valid_from\nacme-ios,monthly,,USD,9.99,\n", as: .prices,
                    database)
            } throws: { ($0 as? PipelineError)?.kind == .alreadyRunning }
            let rates = try await ReferenceLists.take(
                "date,currency,rate\n2026-03-02,EUR,0.92\n", as: .fxRates(base: "USD", source: "bank"),
                database)
            #expect(rates.new == 1)
        }
    }

    @Test func `rules and taxes`() async throws {
        try await withLedgerDatabase { connection, database in
            let rules = try await ReferenceLists.take(
                """
                rule,store,app_id,country,product_type,rate,valid_from,valid_to
                small_business,app_store,acme-ios,,,0.15,2026-01-01,2026-09-14
                small_business,google_play,acme-android,,,,2026-12-01,
                small_business,app_store,,,,0.15,2026-01-01,
                standard,google_play,,AU,yearly,0.05,2026-12-01,
                standard,app_store,,,,15,2026-12-01,
                standard,app_store,,,,0.15,2026-12-01,2026-12-01
                bonus,app_store,,,,0.15,2026-12-01,
                standard,app_store,,FR,,,2026-12-01,
                standard,app_store,,,prepaid,0.15,2026-12-01,
                after_one_year,google_play,,,one_time,0.15,2026-12-01,
                standard,google_play,acme-ios,,,0.15,2026-12-01,
                """, as: .commissionRules, database)
            #expect(rules.good == 2 && rules.new == 2)
            #expect(
                ReferenceLists.said(rules.bad) == [
                    "4: missing app_id: a membership is an app's own",
                    "5: bad product_type `yearly`: one of auto_renewable, prepaid, one_time",
                    "6: bad rate `15`: a share from 0 to 1, such as 0.15", "7: valid_to is not after valid_from",
                    "8: bad rule `bonus`: one of standard, after_one_year, small_business", "9: missing rate",
                    "10: it never applies: prepaid plans are Google Play's",
                    "11: it never applies: a year of paid service is one of an auto_renewable product",
                    "12: it never applies: acme-ios is an app of app_store",
                ])
            let taxes = try await ReferenceLists.take(
                """
                {"country":"de","rate":0.19,"is_inclusive":true,"valid_from":"2021-01-01"}
                {"country":"US","rate":"0","is_inclusive":"false"}
                {"country":"FR","rate":0.2}
                """, as: .taxRates, database)
            #expect(taxes.new == 2)
            #expect(ReferenceLists.said(taxes.bad) == ["3: missing is_inclusive"])
            #expect(
                try await connection.lines("select * from subledger.tax_rates order by country") == [
                    "DE|0.19|true|2021-01-01|2", "US|0|false|-infinity|2",
                ])
        }
    }

    @Test func `rules that overlap and prices that no sale can take are named, and go in`() async throws {
        try await withLedgerDatabase { connection, database in
            func notes(_ file: String, _ kind: ReferenceImport.Kind) async throws -> [String] {
                let outcome = try await ReferenceLists.take(file, as: kind, database)
                #expect(outcome.bad.isEmpty && outcome.new == outcome.good)
                return ReferenceLists.said(outcome.notes)
            }
            // From 2026 one that goes on, from May another, from June to August a third, and in July a fourth.
            let rules = """
                rule,store,app_id,country,product_type,rate,valid_from,valid_to
                standard,app_store,,FR,,0.30,2026-01-01,
                standard,app_store,,FR,,0.28,2026-05-01,
                standard,app_store,,FR,,0.25,2026-06-01,2026-09-01
                standard,app_store,,FR,,0.20,2026-07-01,2026-08-01
                """
            #expect(
                try await notes(rules, .commissionRules) == [
                    "4: overlaps the line from 2026-07-01 to 2026-08-01: of two that hold on a day the one that began later counts",
                    "5: overlaps the line from 2026-06-01 to 2026-09-01: of two that hold on a day the one that began later counts",
                ])
            _ = try await notes(
                "app_id,product_id,period,base_plan_id\nacme-ios,yearly,P1Y,\nacme-ios,monthly,P1M,\n", .products)
            #expect(
                try await notes(
                    """
                    app_id,product_id,currency,price,period
                    acme-ios,yearly,USD,59.99,
                    acme-ios,yearly,USD,5.99,P1M
                    acme-ios,monthly,USD,9.99,P1M
                    acme-ios,monthly,USD,2.99,P1W
                    """, .prices) == ["5: by the catalogue monthly is sold for P1M, and nothing for P1W"])
            let metal = try await ReferenceLists.take(
                "app_id,product_id,currency,price\nacme-ios,monthly,XXX,1\nacme-ios,monthly,XAU,1\n", as: .prices,
                database)
            #expect(
                ReferenceLists.said(metal.bad) == [
                    "2: bad currency `XXX`: nothing is charged in it",
                    "3: bad currency `XAU`: nothing is charged in it",
                ])
        }
    }
}
