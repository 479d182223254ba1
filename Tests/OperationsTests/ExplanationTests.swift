// SPDX-License-Identifier: Apache-2.0

import Model
import Operations
import Postgres
import TestSupport
import Testing

@Suite struct ExplanationTests {
    /// Two receipts of an app whose default country is Japan: of one the owner stated that it is German.
    private static let history = """
        insert into subledger.apps (app_id, store, default_country) values ('acme-legacy', 'app_store', 'JP');
        insert into subledger.receipts (receipt_id, app_id, receipt, recorded_at) values (7, 'acme-legacy', 'r', now());
        insert into subledger.subscriptions (
            subscription_key, lineage_key, app_id, store, store_key, country, receipt_id, registered_at)
        values (1, 1, 'acme-legacy', 'app_store', '1001', null, 7, now()),
            (2, 2, 'acme-legacy', 'app_store', '1002', 'DE', 7, now());
        insert into subledger.transactions (
            subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key, kind,
            ownership, country, purchased_at, period_start, period_end, price_source, source_version, recorded_run_id,
            changed_run_id)
        select
            held.subscription_key, 't' || held.subscription_key, 'monthly', held.subscription_key, 'acme-legacy',
            'app_store', 'production', 'p', 'purchase', 'purchased', coalesce(held.country, 'JP'), now(), now(), now(),
            'missing', now(), 1, 1
        from subledger.subscriptions held;
        """

    @Test func `the country of a receipt is labelled assumed where it was not reported`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(Self.history)
            for (id, country, isAssumed) in [("1", "JP", true), ("2", "DE", false)] {
                let found = try await Explanation.find(id, on: connection, now: Instant(micros: 0))
                let transaction = try #require(found.first?.transactions.first)
                #expect(transaction.country == country && transaction.isCountryAssumed == isAssumed)
            }
        }
    }
}
