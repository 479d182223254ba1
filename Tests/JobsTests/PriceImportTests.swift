// SPDX-License-Identifier: Apache-2.0

import Imports
import TestSupport
import Testing

/// `import prices` against a real database: which price holds for a sale, and the sales that waited for one.
@Suite struct PriceImportTests {
    @Test func `prices: contradictions are bad lines, corrections are reported, nothing is imported twice`()
        async throws
    {
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
            let outcome = try await ReferenceLists.take(file, as: .prices, database)
            #expect(outcome.good == 3 && outcome.new == 2)
            #expect(
                ReferenceLists.said(outcome.bad) == [
                    "4: it contradicts line 3, which says 1500000000 micros of JPY for the same day",
                    "5: it contradicts line 3, which says 1500000000 micros of JPY for the same day",
                    "7: unknown currency `QQQ`: it is none of ISO 4217",
                    "8: bad currency `yen`: three capital letters (ISO 4217)",
                    "9: bad price `1,500`: write a number such as 9.99",
                    "10: bad price `-5`: write a number such as 9.99",
                    "11: bad price `0.0000001`: write a number such as 9.99",
                ])
            #expect(try await ReferenceLists.take(file, as: .prices, database).new == 0)
            #expect(
                ReferenceLists.said(outcome.notes) == [
                    "2: monthly has no length in the catalogue: the price holds for sales of any length",
                    "3: monthly has no length in the catalogue: the price holds for sales of any length",
                ])
            let corrected = try await ReferenceLists.take(
                "app_id,product_id,country,currency,price,valid_from\nacme-ios,monthly,JP,JPY,1600,2026-01-01\n",
                as: .prices, database)
            #expect(corrected.new == 1)
            #expect(
                ReferenceLists.said(corrected.notes) == [
                    "2: replaces 1500 JPY for the same day; "
                        + "monthly has no length in the catalogue: the price holds for sales of any length"
                ])
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

    @Test func `B7: a base plan's price comes before that of any, and both before none`() async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(
                "insert into subledger.apps (app_id, store) values ('acme-android', 'google_play')")
            let outcome = try await ReferenceLists.take(
                """
                app_id,product_id,country,currency,price,valid_from,base_plan_id
                acme-android,gold,,EUR,10,,
                acme-android,gold,DE,EUR,11,,
                acme-android,gold,,EUR,60,,yearly
                """, as: .prices, database)
            #expect(outcome.new == 3 && outcome.bad.isEmpty)
            #expect(
                try await connection.lines(
                    """
                    select plan, (
                        subledger.list_price('acme-android', 'google_play', 'gold', plan, 'DE', 'renewal', '2026-03-01', '2026-03-01', '2026-04-01')
                    ).price_micros
                    from unnest(array['yearly', 'monthly', null]) with ordinality as asked (plan, place) order by place
                    """) == ["yearly|60000000", "monthly|11000000", "|11000000"])
        }
    }

    @Test func `prices that sales waited for are booked by the import's own run`() async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(Self.waitingSale)
            let line =
                "{\"app_id\":\"acme-receipts\",\"product_id\":\"1000000481802759\",\"currency\":\"USD\",\"price\":"
            let wrong = try await ReferenceLists.take(line + "9.9a}", as: .prices, database)
            #expect(ReferenceLists.said(wrong.bad) == ["1: it is no JSON object of texts and numbers"])
            #expect(try await connection.lines("select run_id from subledger.runs where job = 'import'").isEmpty)
            // An id of 16 digits, here written as a number, keeps every digit; so does the price.
            let file = line.replacing("\"1000000481802759\"", with: "1000000481802759") + "9.99}\n"
            let outcome = try await ReferenceLists.take(file, as: .prices, database)
            #expect(outcome.priced == 1)
            #expect(
                try await connection.lines(
                    "select kind, amount_micros, currency, source, occurred_at, recorded_at from subledger.ledger_entries"
                )
                    == ["charge|9990000|USD|price_list|2026-03-01T00:00:00+00:00|2026-03-10T02:15:00+00:00"])
            #expect(try await ReferenceLists.take(file, as: .prices, database).priced == 0)
        }
    }

    /// A receipt's sale of March, without a price.
    static let waitingSale = """
        insert into subledger.transactions (
            subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
            ownership, purchased_at, period_start, period_end, price_source, source_version, recorded_run_id,
            changed_run_id)
        values (1, 't1', '1000000481802759', 1, 'acme-receipts', 'app_store', 'production', 'w1', 'purchase',
            'purchased', '2026-03-01Z', '2026-03-01Z', '2026-04-01Z', 'missing', '2026-03-02Z', 1, 1)
        """
}
