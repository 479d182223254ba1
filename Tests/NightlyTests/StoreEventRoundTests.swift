// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Logging
import Model
import Postgres
import Runs
import Stores
import TestSupport
import Testing

@testable import Notifications

/// A store's unsolicited events make the right subscriptions due, and the mark states correctly how far they were read.
@Suite struct StoreEventRoundTests {
    /// 2026-03-10T02:15:00Z.
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let app = AppID("acme-ios")

    /// Known subscriptions, none of them due: `a` was charged, `whole` was wholly given back, `part` in part.
    private static func listen(
        _ tellings: [StoreEvents], after history: String? = nil,
        _ body: (PostgresConnection, ReportingStore) async throws -> Void
    ) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                select subledger.record_registration('acme-ios', key) from unnest(array['a', 'whole', 'part', 'family']) as key;
                update subledger.subscriptions set next_check_at = '2026-09-01', next_check_reason = 'before_expiry';
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, purchased_at, period_start, period_end, price_micros, currency, price_source,
                    source_version, recorded_run_id, changed_run_id, refunded_at, refund_kind, refund_micros)
                select subscription_key, 't-' || store_key, 'p', subscription_key, 'acme-ios', 'app_store',
                    'production', 'w', 'purchase', 'purchased', '2026-02-08', '2026-02-08', '2026-04-01', 10, 'USD',
                    'store_price', '2026-02-08', 1, 1,
                    case when store_key <> 'a' then timestamptz '2026-02-09' end,
                    case store_key when 'whole' then 'full' when 'part' then 'partial' when 'family' then 'revoke' end,
                    case store_key when 'whole' then 10 when 'part' then 4 when 'family' then 0 end
                from subledger.subscriptions
                """)
            if let history { try await connection.script(history) }
            let run = try await RunLedger(connection: connection, leader: .current).open(
                .nightly, apps: [app], now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            let store = ReportingStore(tellings: tellings)
            for _ in tellings {
                try await StoreEventRound(run: run, database: connection).read(of: store.app)
            }
            try await body(connection, store)
        }
    }

    private static func item(_ key: String, _ transaction: String?) -> StoreEvents.Item {
        StoreEvents.Item(storeKey: Secret(key), transactionID: transaction)
    }

    private static func requested(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select store_key, next_check_reason from subledger.subscriptions where next_check_at = '-infinity'
            order by store_key
            """)
    }

    @Test func `B6: voided purchases request checks of known ones, unless already refunded in full or revoked`()
        async throws
    {
        let reported = ["a", "whole", "part", "family", "stranger"].map { Self.item($0, "t-" + $0) }
        try await Self.listen([StoreEvents(readUntil: Self.now, items: reported)]) { connection, _ in
            let found1 = try await Self.requested(connection)
            #expect(found1 == ["a|refund_notified", "part|refund_notified"])
            // A stranger is not registered by it.
            let found2 = try await connection.lines("select count(*) from subledger.subscriptions")
            #expect(found2 == ["4"])
        }
    }

    /// Google Play reports it by its token, which no subscription has; the sale is booked under its order.
    @Test
    func `B6: a one-time sale given back is asked about once more by its token, unless we know it was`() async throws {
        let reported = ["coins", "gone", "new"].map { Self.item("token-\($0)", "GPA.\($0)") }
        let sales = """
            insert into subledger.transactions (
                subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                kind, ownership, purchased_at, period_start, price_micros, currency, price_source, source_version,
                recorded_run_id, changed_run_id, refunded_at, refund_kind, refund_micros)
            select 100 + place, 'GPA.' || name, 'coins', 100 + place, 'acme-ios', 'google_play', 'production',
                'GPA.' || name, 'one_time', 'purchased', '2026-02-08', '2026-02-08', 10, 'USD', 'store_order',
                '2026-02-08', 1, 1, case name when 'gone' then timestamptz '2026-02-09' end,
                case name when 'gone' then 'full' end, case name when 'gone' then 10 end
            from unnest(array['coins', 'gone']) with ordinality as sale (name, place)
            """
        try await Self.listen([StoreEvents(readUntil: Self.now, items: reported)], after: sales) { connection, _ in
            let requested = try await Self.requested(connection)
            #expect(requested == ["token-coins|registered"])
        }
    }

    /// Another order of the same purchase, or none named, counts as new whatever we know of this one.
    @Test func `an event of another or an unnamed transaction requests a check of what was already given back`()
        async throws
    {
        let reported = [Self.item("whole", "t-other"), Self.item("family", nil)]
        try await Self.listen([StoreEvents(readUntil: Self.now, items: reported)]) { connection, _ in
            let found3 = try await Self.requested(connection)
            #expect(found3 == ["family|refund_notified", "whole|refund_notified"])
        }
    }

    @Test func `the next look begins where this one ended`() async throws {
        let first = Self.now - .days(1)
        let tellings = [StoreEvents(readUntil: first, items: []), StoreEvents(readUntil: Self.now, items: [])]
        try await Self.listen(tellings) { _, store in
            #expect(store.asked == [nil, first])
        }
    }

    @Test func `a list that could not be read to its end requests checks, and leaves the mark where it was`()
        async throws
    {
        let first = Self.now - .days(1)
        let tellings = [
            StoreEvents(readUntil: first, items: []), StoreEvents(readUntil: nil, items: [Self.item("a", "t-a")]),
            StoreEvents(readUntil: nil, items: []),
        ]
        try await Self.listen(tellings) { connection, store in
            let found4 = try await Self.requested(connection)
            #expect(found4 == ["a|refund_notified"])
            #expect(store.asked == [nil, first, first])
        }
    }

    @Test func `a mark never goes back`() async throws {
        let tellings = [
            StoreEvents(readUntil: Self.now, items: []), StoreEvents(readUntil: Self.now - .days(2), items: []),
            StoreEvents(readUntil: nil, items: []),
        ]
        try await Self.listen(tellings) { _, store in
            #expect(store.asked == [nil, Self.now, Self.now])
        }
    }
}
