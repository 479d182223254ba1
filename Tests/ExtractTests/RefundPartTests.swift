// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What was given back of a charge, step by step, is read as Load wrote it: the next step is booked on top of it.
@Suite struct RefundPartTests {
    private static let parts = #"""
        [{"at": "2026-03-05T00:00:00Z", "micros": 20000000, "tax": null},
        {"at": "2026-03-09T12:30:00Z", "micros": 30000000, "tax": 400, "money_only": true}]
        """#

    @Test
    func `B6: the steps of a refund, the seats left and the time of a refund notification are read as written`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            let registered = try await connection.lines("select subledger.register('acme-ios', '2001')").first
            let key = SubscriptionKey(try #require(registered.flatMap { Int64($0) }))
            try await connection.script(
                """
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, purchased_at, period_start, period_end, price_micros, currency, price_source,
                    refunded_at, refund_kind, refund_micros, refund_parts, seats, source_version, recorded_run_id,
                    changed_run_id)
                values (\(key), 't', 'team', \(key), 'acme-ios', 'app_store', 'production', 'w', 'purchase', 'purchased',
                    '2026-03-01', '2026-03-01', '2026-04-01', 100000000, 'USD', 'store_price', '2026-03-09 12:30Z',
                    'partial', 50000000, '\(Self.parts)', 5, '2026-03-09', 1, 1);
                update subledger.subscriptions set refund_notified_at = '2026-03-09 12:30Z',
                    refund_reports = '{"t": 1773059400000000}'
                """)
            let due = try await ExtractStage(connection: connection).read(
                keys: [key], now: Instant(micros: 1_773_108_900_000_000), isAudit: false, refundWatchDays: [])
            let known = try #require(due.first?.known.first)
            #expect(
                known.refundParts == [
                    RefundPart(at: try #require(Instant(iso8601: "2026-03-05T00:00:00Z")), micros: 20_000_000),
                    RefundPart(
                        at: try #require(Instant(iso8601: "2026-03-09T12:30:00Z")), micros: 30_000_000, taxMicros: 400,
                        isMoneyOnly: true),
                ])
            #expect(known.refundMicros == 50_000_000 && known.seats == 5)
            let unnamed = Instant(iso8601: "2026-03-09T12:30:00Z")
            #expect(due.first?.refundReports.unnamed == unnamed)
            #expect(due.first?.refundReports.byTransaction == ["t": Instant(micros: 1_773_059_400_000_000)])
        }
    }
}
