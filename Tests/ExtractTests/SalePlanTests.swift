// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// One-time sales that are looked at for refunds: which are due, in which chunks, and what is known of each.
@Suite struct SalePlanTests {
    private static let days: [Int64] = [30, 60]

    /// Sales of 2026-02-01 with the day of their next look; some are read from a receipt.
    private static func with(
        _ sales: [(id: String, next: String, receipt: Int?)],
        subscriptions: [(key: String, nextCheck: String?, expiry: String)] = [],
        _ body: (PostgresConnection, ExtractStage) async throws -> Void
    ) async throws {
        try await ExtractWorld.with(subscriptions) { connection, extract in
            for sale in sales {
                try await connection.script(
                    """
                    insert into subledger.transactions (
                        subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment,
                        original_transaction_id, period_key, kind, ownership, country, purchased_at, period_start,
                        price_source, source_version, recorded_run_id, changed_run_id)
                    select key, '\(sale.id)', 'coins', key, 'acme-ios', 'app_store', 'production', '\(sale.id)', '\(sale.id)',
                        'one_time', 'purchased', 'DE', '2026-02-01', '2026-02-01', 'missing', '2026-02-01', 1, 1
                    from subledger.subscription_key('acme-ios', '\(sale.id)') key;
                    insert into subledger.watched_sales (subscription_key, app_id, sold_at, next_look_at, receipt_id)
                    values (
                        subledger.subscription_key('acme-ios', '\(sale.id)'), 'acme-ios', '2026-02-01', '\(sale.next)',
                        \(sale.receipt.map(String.init) ?? "null"))
                    """)
            }
            try await body(connection, extract)
        }
    }

    private static func plan(areReported: Bool = false, isAudit: Bool = false) -> ExtractStage.Plan {
        ExtractStage.Plan(
            runID: 1, generation: 1, appID: ExtractWorld.app, now: ExtractWorld.now, isAudit: isAudit,
            looks: ExtractStage.Looks(days: days, areReported: areReported))
    }

    private static func chunks(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select chunk_no, (
                select string_agg(coalesce(s.store_key, t.transaction_id), ',' order by place)
                from unnest(subscription_keys) with ordinality as k (key, place)
                left join subledger.subscriptions s on s.subscription_key = k.key
                left join subledger.transactions t on t.subscription_key = k.key) as ids
            from subledger.run_chunks order by chunk_no
            """)
    }

    @Test func `due sales come behind the subscriptions, each once in a run`() async throws {
        let sales: [(id: String, next: String, receipt: Int?)] = [
            ("7001", "2026-03-03", nil), ("7002", "2026-03-10 02:15:01+00", nil),
        ]
        try await Self.with(sales, subscriptions: [("a", "2026-03-10", "2026-04-03")]) { connection, extract in
            let planned = try await extract.plan(Self.plan(), chunkSize: 1, after: 0)
            #expect(planned.due == 2)
            #expect(try await Self.chunks(connection) == ["1|a", "2|7001"])
            // Its look failed and is due at once: for the next run.
            try await connection.script(
                "update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0")
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 2)
            #expect(try await Self.chunks(connection) == ["1|a", "2|7001"])
            let rehearsed = try await connection.query(
                SQL.Pipeline.listDueKeys,
                [PostgresValue(ExtractWorld.app), PostgresValue(ExtractWorld.now), .bool(false), .bool(true)])
            #expect(rehearsed.count == 2)
            // An audit looks at all that are still on the list.
            _ = try await extract.plan(Self.plan(isAudit: true), chunkSize: 5, after: 2)
            #expect(try await Self.chunks(connection).last == "3|7002")
        }
    }

    @Test func `what is read from a receipt is asked with it, the subscriptions first`() async throws {
        let sales: [(id: String, next: String, receipt: Int?)] = [("7001", "2026-03-03", 7)]
        let subscriptions: [(key: String, nextCheck: String?, expiry: String)] = [
            ("a", nil, "2026-09-01"), ("b", nil, "2026-08-01"),
        ]
        try await Self.with(sales, subscriptions: subscriptions) { connection, extract in
            try await connection.script("update subledger.subscriptions set receipt_id = 7")
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 0)
            let planned = try await Self.chunks(connection)
            #expect(planned == ["1|a,b,7001"] || planned == ["1|b,a,7001"])
        }
    }

    /// 30 days after 1 February is 3 March, 60 days after it 2 April.
    @Test func `while notifications report every refund, what falls due is passed over`() async throws {
        let sales: [(id: String, next: String, receipt: Int?)] = [
            ("7001", "2026-03-03", nil), ("7002", "2026-04-02", nil),
        ]
        try await Self.with(sales) { connection, extract in
            try await connection.script(
                "update subledger.watched_sales set sold_at = '2026-01-05' where next_look_at = '2026-04-02'; "
                    + "update subledger.watched_sales set next_look_at = '2026-03-06' where sold_at = '2026-01-05'")
            let planned = try await extract.plan(Self.plan(areReported: true), chunkSize: 1, after: 0)
            #expect(planned.due == 0)
            #expect(
                try await connection.lines("select next_look_at::date from subledger.watched_sales") == ["2026-04-02"])
        }
    }

    @Test func `a sale is read with its money, its failures and its receipt`() async throws {
        try await Self.with([("7001", "2026-03-03", 7)], subscriptions: [("a", nil, "2026-09-01")]) {
            connection, extract in
            try await connection.script(
                """
                insert into subledger.receipts values (7, 'acme-ios', 'TUlJ', '2026-02-01', null);
                update subledger.watched_sales set failures = 2, last_failed_at = '2026-03-09'
                """)
            let key = try await connection.lines("select subscription_key from subledger.watched_sales")
            let keys = [
                SubscriptionKey(try #require(key.first.flatMap { Int64($0) })),
                try await ExtractWorld.key(of: "a", connection),
            ]
            let due = try await extract.read(
                keys: keys, now: ExtractWorld.now, isAudit: false, refundWatchDays: Self.days)
            #expect(due.map(\.isSale) == [true, false])
            let sale = try #require(due.first)
            #expect(sale.storeKey == Secret("7001") && sale.environment == .production && sale.country == "DE")
            #expect(sale.known.map(\.kind) == [.oneTime] && sale.known.map(\.end) == [nil])
            #expect(sale.receipt == Receipt(id: 7, data: Secret("TUlJ")))
            #expect(sale.snapshot.failures == 2 && !sale.wantsOnlyRefunds && !sale.wantsHistory)
        }
    }

    @Test func `a purchase is read with the orders that it waits for`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-03")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            try await connection.script(
                """
                insert into subledger.awaited_orders values (\(key), 'GPA.1..0', '2026-03-09T02:15:00Z', 3);
                update subledger.subscriptions set state = 'active', next_check_reason = 'refund_watch',
                    expires_at = '2026-04-01', last_checked_at = '2026-03-01'
                """)
            let due = try await extract.read(keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
            #expect(
                due.first?.awaited == [
                    AwaitedOrder(id: "GPA.1..0", lastAskedAt: ExtractWorld.now - .days(1), nights: 3)
                ])
            // Its order needs what the purchase says: not only refunds are looked for.
            #expect(due.map(\.wantsOnlyRefunds) == [false])
        }
    }
}
