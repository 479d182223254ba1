// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Pipeline
import Postgres
import TestSupport
import Testing

/// `import products|prices|fx|commission-rules|tax-rates` against a real database.
@Suite struct ReferenceImportTests {
    @discardableResult
    private func take(
        _ text: String, as kind: ReferenceImport.Kind, _ connection: PostgresConnection,
        _ database: PostgresConfiguration, now: String = "2026-03-10T02:15:00Z"
    ) async throws -> ReferenceImport.Outcome {
        try await ReferenceImport(connection: connection, database: database, logger: Logger(label: "test")).run(
            ImportFile(Array(text.utf8)), as: kind, apps: [AppID("acme-ios"), AppID("acme-receipts")],
            now: try #require(Instant(iso8601: now)), businessDate: try #require(BusinessDate("2026-03-09")))
    }

    private func said(_ lines: [BadLine]) -> [String] { lines.map { "\($0.number): \($0.reason)" } }

    @Test func `products: good lines go in, bad ones are named`() async throws {
        try await withLedgerDatabase { connection, database in
            let outcome = try await take(
                """
                app_id,product_id,period,subscription_group,level,valid_from
                acme-ios,monthly,P1M,g1,2,
                acme-ios,yearly,P1Y,g1,1,2026-01-01
                nope,monthly,P1M,,,
                acme-ios,weekly,1 week,,,
                acme-ios,weekly,P,,,
                acme-ios,weekly,P1W,,0,
                acme-ios,,P1W,,,
                acme-ios,weekly,P1W,,,01.02.2026
                """, as: .products, connection, database)
            #expect(outcome.good == 2 && outcome.new == 2 && outcome.notes.isEmpty)
            #expect(
                said(outcome.bad) == [
                    "4: unknown app `nope`", "5: bad period `1 week`: an ISO 8601 duration such as P1M, P1W or P1Y",
                    "6: bad period `P`: an ISO 8601 duration such as P1M, P1W or P1Y",
                    "7: bad level `0`: 1 is the highest of its group", "8: missing product_id",
                    "9: bad date `01.02.2026` in valid_from: write 2026-03-01",
                ])
            #expect(
                try await connection.lines("select * from subledger.products order by product_id") == [
                    "acme-ios|monthly|P1M|g1|2|-infinity|1|", "acme-ios|yearly|P1Y|g1|1|2026-01-01|1|",
                ])
            #expect(
                try await connection.lines("select job, outcome, seal, counts ->> 'bad_lines' from subledger.runs") == [
                    "import|partial|1|6"
                ])
        }
    }

    @Test("B7: a product's base plans are rows of their own; the same product without one is any")
    func basePlans() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                app_id,product_id,period,base_plan_id
                acme-ios,gold,P1M,
                acme-ios,gold,P1M,monthly
                acme-ios,gold,P1Y,yearly
                """
            let outcome = try await take(file, as: .products, connection, database)
            #expect(outcome.good == 3 && outcome.new == 3 && outcome.bad.isEmpty)
            #expect(try await take(file, as: .products, connection, database).new == 0)
            let corrected = try await take(
                "app_id,product_id,period,base_plan_id\nacme-ios,gold,P3M,yearly\n", as: .products, connection, database
            )
            #expect(said(corrected.notes) == ["2: replaces P1Y"])
            #expect(
                try await connection.lines(
                    """
                    select distinct on (base_plan_id) base_plan_id, period from subledger.products
                    order by base_plan_id, recorded_run_id desc
                    """) == ["|P1M", "monthly|P1M", "yearly|P3M"])
        }
    }

    @Test("B7: a base plan's price comes before that of any, and both before none")
    func basePlanPrices() async throws {
        try await withLedgerDatabase { connection, database in
            let outcome = try await take(
                """
                app_id,product_id,country,currency,price,valid_from,base_plan_id
                acme-ios,gold,,EUR,10,,
                acme-ios,gold,DE,EUR,11,,
                acme-ios,gold,,EUR,60,,yearly
                """, as: .prices, connection, database)
            #expect(outcome.new == 3 && outcome.bad.isEmpty)
            #expect(
                try await connection.lines(
                    """
                    select plan, (subledger.list_price('acme-ios', 'gold', plan, 'DE', '2026-03-01')).price_micros
                    from unnest(array['yearly', 'monthly', null]) with ordinality as asked (plan, place) order by place
                    """) == ["yearly|60000000", "monthly|11000000", "|11000000"])
        }
    }

    @Test("periods are durations of ISO 8601: each unit once, from the longest to the shortest, none of them zero")
    func periods() async throws {
        try await withLedgerDatabase { connection, database in
            let (good, bad) = (
                ["P1Y", "P6M", "P2W", "P999Y999M999W9999D"],
                ["P0M", "P1M1Y", "P01M", "P1000M", "PT1H", "P1", "p1m", "1M"]
            )
            let lines = (good + bad).enumerated().map { "acme-ios,p\($0),\($1)" }.joined(separator: "\n")
            let outcome = try await take(
                "app_id,product_id,period\n" + lines, as: .products, connection, database)
            #expect(outcome.good == good.count && outcome.bad.map(\.number) == Array(6..<(6 + bad.count)))
        }
    }

    @Test("a repeated column is named: of two prices nobody can say which is meant")
    func repeatedColumn() async throws {
        try await withLedgerDatabase { connection, database in
            let prices = try await take(
                "app_id,product_id,currency,price,price\nacme-ios,p,USD,1,2\n", as: .prices, connection, database)
            #expect(said(prices.bad) == ["1: the header names `price` twice"])
            let rates = try await take(
                "Date,USD,JPY,USD,\n2026-03-09,1.1,160,1.2,\n", as: .fxRates(base: nil, source: "import"), connection,
                database)
            #expect(said(rates.bad) == ["1: the header names `USD` twice"])
            let lines = try await take(
                #"{"app_id":"acme-ios","product_id":"p","currency":"USD","price":1.5,"price":2}"#, as: .prices,
                connection, database)
            #expect(said(lines.bad) == ["1: it names `price` twice"])
        }
    }

    @Test("prices: contradictions are bad lines, corrections are told, nothing goes in twice")
    func overlappingPrices() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                app_id,product_id,country,currency,price,valid_from
                acme-ios,monthly,,USD,9.99,
                acme-ios,monthly,jp,JPY,1500,2026-01-01
                acme-ios,monthly,JP,JPY,1600,2026-01-01
                acme-ios,monthly,JP,USD,9.99,2026-01-01
                acme-ios,monthly,JP,JPY,1500.00,2026-01-01
                acme-ios,monthly,JP,QQQ,1,2026-02-01
                acme-ios,monthly,JP,yen,1,2026-02-01
                acme-ios,monthly,JP,JPY,"1,500",2026-02-01
                acme-ios,monthly,JP,JPY,-5,2026-02-01
                acme-ios,monthly,JP,JPY,0.0000001,2026-02-01
                """
            let outcome = try await take(file, as: .prices, connection, database)
            #expect(outcome.good == 3 && outcome.new == 2)
            #expect(
                said(outcome.bad) == [
                    "4: it contradicts line 3, which says 1500000000 micros of JPY for the same day",
                    "5: it contradicts line 3, which says 1500000000 micros of JPY for the same day",
                    "7: unknown currency `QQQ`: it is none of ISO 4217",
                    "8: bad currency `yen`: three capital letters (ISO 4217)",
                    "9: bad price `1,500`: write a number such as 9.99",
                    "10: bad price `-5`: write a number such as 9.99",
                    "11: bad price `0.0000001`: write a number such as 9.99",
                ])
            #expect(try await take(file, as: .prices, connection, database).new == 0)
            let corrected = try await take(
                "app_id,product_id,country,currency,price,valid_from\nacme-ios,monthly,JP,JPY,1600,2026-01-01\n",
                as: .prices, connection, database)
            #expect(corrected.new == 1)
            #expect(said(corrected.notes) == ["2: replaces 1500 JPY for the same day"])
            #expect(
                try await connection.lines(
                    """
                    select country, currency, price_micros, valid_from, recorded_run_id from subledger.prices
                    order by recorded_run_id, country
                    """) == [
                        "|USD|9990000|-infinity|1", "JP|JPY|1500000000|2026-01-01|1", "JP|JPY|1600000000|2026-01-01|3",
                    ])
        }
    }

    @Test("prices that sales waited for are booked by the import's own run")
    func pricesThatSalesWaitedFor() async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(Self.waitingSale)
            let line =
                "{\"app_id\":\"acme-receipts\",\"product_id\":\"1000000481802759\",\"currency\":\"USD\",\"price\":"
            let wrong = try await take(line + "9.9a}", as: .prices, connection, database)
            #expect(said(wrong.bad) == ["1: it is no JSON object of texts and numbers"])
            #expect(try await connection.lines("select run_id from subledger.runs where job = 'import'").isEmpty)
            // An id of 16 digits, here written as a number, keeps every digit; so does the price.
            let file = line.replacing("\"1000000481802759\"", with: "1000000481802759") + "9.99}\n"
            let outcome = try await take(file, as: .prices, connection, database)
            #expect(outcome.priced == 1)
            #expect(
                try await connection.lines(
                    "select kind, amount_micros, currency, source, occurred_at, recorded_at from subledger.ledger_entries"
                )
                    == ["charge|9990000|USD|price_list|2026-03-01T00:00:00+00:00|2026-03-10T02:15:00+00:00"])
            #expect(try await take(file, as: .prices, connection, database).priced == 0)
        }
    }

    private static let waitingSale = """
        insert into subledger.transactions (
            subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
            ownership, purchased_at, period_start, period_end, price_source, source_version, recorded_run_id,
            changed_run_id)
        values (1, 't1', '1000000481802759', 1, 'acme-receipts', 'app_store', 'production', 'w1', 'purchase',
            'purchased', '2026-03-01Z', '2026-03-01Z', '2026-04-01Z', 'missing', '2026-03-02Z', 1, 1)
        """

    @Test("fx: the European Central Bank's file as it is")
    func theCentralBanksFile() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                Date,USD,JPY,RUB,
                2026-03-05,1.0834,163.02,N/A,
                2026-03-04,1.0821,abc,N/A,
                2026-03-03,1.0799,162.5,117.2,

                """
            let kind = ReferenceImport.Kind.fxRates(base: nil, source: "import")
            let outcome = try await take(file, as: kind, connection, database)
            #expect(outcome.good == 2 && outcome.new == 6)
            #expect(said(outcome.bad) == ["3: bad rate `abc` for JPY: write a number such as 1.0834"])
            #expect(outcome.notes.isEmpty)
            #expect(
                try await connection.lines(
                    """
                    select source, base, currency, rate_date, rate::text, is_flagged from subledger.fx_rates
                    order by rate_date, currency
                    """) == [
                        "ecb|EUR|JPY|2026-03-03|162.5|false", "ecb|EUR|RUB|2026-03-03|117.2|false",
                        "ecb|EUR|USD|2026-03-03|1.0799|false", "ecb|EUR|JPY|2026-03-05|163.02|false",
                        "ecb|EUR|RUB|2026-03-05||false", "ecb|EUR|USD|2026-03-05|1.0834|false",
                    ])
            let again = try await take(file, as: kind, connection, database)
            #expect(again.good == 2 && again.new == 0)
        }
    }

    @Test("Golden: an FX feed off by 10x is kept and flagged; the right one is a newer row (AppSales-Mobile #283)")
    func aFeedThatIsOffByTen() async throws {
        try await withLedgerDatabase { connection, database in
            let kind = ReferenceImport.Kind.fxRates(base: "USD", source: "bank")
            let outcome = try await take(
                """
                date,currency,rate
                2026-03-02,JPY,150
                2026-03-03,JPY,15
                2026-03-04,JPY,120
                2026-03-05,JPY,144
                2026-03-06,JPY,144.01
                """, as: kind, connection, database)
            #expect(outcome.new == 5 && outcome.bad.isEmpty)
            // 120 → 144 is 20 % and no more.
            #expect(
                said(outcome.notes) == [
                    "3: JPY moved from 150 to 15 in a day: kept, flagged",
                    "4: JPY moved from 15 to 120 in a day: kept, flagged",
                ])
            let next = try await take(
                "date,currency,rate\n2026-03-07,JPY,200\n2026-03-03,JPY,150\n", as: kind, connection, database)
            #expect(
                said(next.notes) == ["2: JPY moved from 144.01 to 200 in a day: kept, flagged", "3: JPY: replaces 15"])
            #expect(
                try await connection.lines(
                    "select rate_date from subledger.fx_rates where is_flagged order by rate_date") == [
                        "2026-03-03", "2026-03-04", "2026-03-07",
                    ])
        }
    }

    @Test("a rate file with bad lines: each is named, the others go in")
    func aRateFileWithBadLines() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                date,currency,rate
                2026-03-02,EUR,0.92
                2026-13-02,EUR,0.92
                2026-03-03,euro,0.92
                2026-03-03,EUR,0
                2026-03-03,EUR,"0,92"
                2026-03-03,USD,1
                2026-03-02,EUR,0.93
                2026-03-03,EUR
                """
            let outcome = try await take(file, as: .fxRates(base: "USD", source: "bank"), connection, database)
            #expect(outcome.good == 1 && outcome.new == 1)
            #expect(
                said(outcome.bad) == [
                    "3: bad date `2026-13-02` in date: write 2026-03-01",
                    "4: bad currency `euro`: three capital letters (ISO 4217)",
                    "5: bad rate `0` for EUR: write a number such as 1.0834",
                    "6: bad rate `0,92` for EUR: write a number such as 1.0834",
                    "7: bad currency `USD`: it is the base",
                    "8: it contradicts line 2, which says 0.92 for the same day",
                    "9: it has 2 fields where the header names 3",
                ])
            let baseless = try await take(file, as: .fxRates(base: nil, source: "bank"), connection, database)
            #expect(baseless.good == 0)
            #expect(said(baseless.bad) == ["1: its rates are for one of which currency? Give --base"])
        }
    }

    @Test func `rules and taxes`() async throws {
        try await withLedgerDatabase { connection, database in
            let rules = try await take(
                """
                rule,store,app_id,country,product_type,rate,valid_from,valid_to
                small_business,app_store,acme-ios,,,0.15,2026-01-01,2026-09-14
                billing,google_play,,AU,auto_renewable,0.05,2026-12-01,
                small_business,app_store,,,,0.15,2026-01-01,
                billing,google_play,,AU,yearly,0.05,2026-12-01,
                standard,app_store,,,,15,2026-12-01,
                standard,app_store,,,,0.15,2026-12-01,2026-12-01
                bonus,app_store,,,,0.15,2026-12-01,
                """, as: .commissionRules, connection, database)
            #expect(rules.good == 2 && rules.new == 2)
            #expect(
                said(rules.bad) == [
                    "4: missing app_id: a programme is an app's own",
                    "5: bad product_type `yearly`: one of auto_renewable, prepaid, one_time",
                    "6: bad rate `15`: a share from 0 to 1, such as 0.15", "7: valid_to is not after valid_from",
                    "8: bad rule `bonus`: one of standard, after_one_year, small_business, billing",
                ])
            let taxes = try await take(
                """
                {"country":"de","rate":0.19,"is_inclusive":true,"valid_from":"2021-01-01"}
                {"country":"US","rate":"0","is_inclusive":"false"}
                {"country":"FR","rate":0.2}
                """, as: .taxRates, connection, database)
            #expect(taxes.new == 2)
            #expect(said(taxes.bad) == ["3: missing is_inclusive"])
            #expect(
                try await connection.lines("select * from subledger.tax_rates order by country") == [
                    "DE|0.19|true|2021-01-01|2", "US|0|false|-infinity|2",
                ])
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
                try await take(
                    "app_id,product_id,country,currency,price,valid_from\nacme-ios,monthly,,USD,9.99,\n", as: .prices,
                    connection, database)
            } throws: { ($0 as? PipelineError)?.kind == .alreadyRunning }
            let rates = try await take(
                "date,currency,rate\n2026-03-02,EUR,0.92\n", as: .fxRates(base: "USD", source: "bank"), connection,
                database)
            #expect(rates.new == 1)
        }
    }
}
