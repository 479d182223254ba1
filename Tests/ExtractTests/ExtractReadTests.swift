// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import TestSupport
import Testing

/// With what a chunk is read: what we knew of each subscription, and what is wanted of the store.
@Suite struct ExtractReadTests {
    /// The looks of a charge, 30 and 60 days behind it, each in the night in which it falls due, alone or both at once.
    @Test func `B6: an audit and the last look at a charge read the history from its beginning`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            // Charged on 8 February, last answered on 9 March: the 30th day is 10 March, 00:00.
            try await connection.script(
                """
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, purchased_at, period_start, period_end, price_micros, currency, price_source,
                    source_version, recorded_run_id, changed_run_id)
                values (\(key), 't', 'p', \(key), 'acme-ios', 'app_store', 'production', 'w', 'purchase', 'purchased',
                    '2026-02-08', '2026-02-08', '2026-04-01', 1, 'USD', 'store_price', '2026-02-08', 1, 1);
                update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00'
                """)
            let cases: [(isAudit: Bool, days: [Int64], expected: HistoryReach)] = [
                (false, [30, 60], .fromCursor), (false, [7, 30], .fromBeginning), (false, [31], .asNeeded),
                (false, [29, 60], .asNeeded), (true, [], .fromBeginning), (true, [30, 60], .fromBeginning),
                (false, [], .asNeeded),
            ]
            for (isAudit, days, expected) in cases {
                let due = try await extract.read(
                    keys: [key], now: ExtractWorld.now, isAudit: isAudit, refundWatchDays: days)
                #expect(due.map(\.historyReach) == [expected], "\(isAudit) \(days)")
                #expect(due.first?.known.map(\.transactionID) == ["t"])
            }
            try await connection.script("update subledger.transactions set ownership = 'assigned'")
            let due = try await extract.read(keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
            #expect(due.first?.known.map(\.ownership) == [.assigned])
            // Somebody else paid for it.
            let watched = try await extract.read(
                keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [30, 60])
            #expect(watched.map(\.historyReach) == [.asNeeded])
        }
    }

    /// Given back whole: at the App Store it may be taken back, and is looked at the last time alone.
    @Test func `B6: a charge that was given back is looked at the last time alone`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            try await connection.script(
                """
                insert into subledger.transactions (
                    subscription_key, transaction_id, product_id, lineage_key, app_id, store, environment, period_key,
                    kind, ownership, purchased_at, period_start, period_end, price_micros, currency, price_source,
                    refunded_at, refund_kind, refund_micros, refund_source, source_version, recorded_run_id, changed_run_id)
                values (\(key), 't', 'p', \(key), 'acme-ios', 'app_store', 'production', 'w', 'purchase', 'purchased',
                    '2026-02-08', '2026-02-08', '2026-04-01', 1, 'USD', 'store_price', '2026-02-10', 'full', 1,
                    'store_amount', '2026-02-10', 1, 1);
                update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00'
                """)
            for (store, days, expected) in [
                ("app_store", [30, 60], .asNeeded), ("app_store", [7, 30], .fromBeginning),
                ("google_play", [7, 30], .asNeeded),
            ] as [(String, [Int64], HistoryReach)] {
                try await connection.script("update subledger.subscriptions set store = '\(store)'")
                let due = try await extract.read(
                    keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: days)
                #expect(due.map(\.historyReach) == [expected], "\(store) \(days)")
            }
        }
    }

    @Test func `B6: rows that notifications carried are read, and a refund of no row reads the whole history`()
        async throws
    {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            for (flag, expected) in [(false, .fromCursor), (true, .restarted)] as [(Bool, HistoryReach)] {
                try await connection.script(
                    """
                    update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00',
                        next_check_reason = 'refund_notified', notified_rows = '{a.b.c,d.e.f}', is_history_notified = \(flag)
                    """)
                let due = try await extract.read(
                    keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
                #expect(due.map(\.historyReach) == [expected])
                #expect(due.first?.notifiedRows.map { $0.reveal() } == ["a.b.c", "d.e.f"])
            }
        }
    }

    /// Met first so many days ago, and last looked for so many days ago, for the third time or later.
    @Test(arguments: [(20, 6, false), (20, 7, true), (64, 6, true), (64, 1, true)] as [(Int, Int, Bool)])
    func `a row that was set aside is looked for by the week, and after sixty days whenever its subscription is asked`(
        since: Int, last: Int, isLookedFor: Bool
    ) async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            try await connection.script(
                """
                insert into subledger.dead_letters (
                    app_id, subscription_key, stage, reason, detail, attempts, first_run_id, last_run_id, created_at,
                    transaction_id)
                values ('acme-ios', \(key), 'transform', 'missing_bundle', 'd', 3, 1, 1,
                    '2026-03-10 02:15Z'::timestamptz - interval '\(since) days', 'T2');
                update subledger.runs set logical_now = '2026-03-10 02:15Z'::timestamptz - interval '\(last) days';
                update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00'
                """)
            let due = try await extract.read(keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
            #expect(due.map(\.looksForRowsSetAside) == [isLookedFor])
            #expect(due.map(\.historyReach) == [isLookedFor ? .fromBeginning : .asNeeded])
        }
    }

    @Test func `C1: a refund notification wants the charges again, another notification does not`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            let cases: [(String, HistoryReach)] = [
                ("refund_notified", .fromCursor), ("linked", .fromCursor), ("notified", .asNeeded),
                ("before_expiry", .asNeeded),
            ]
            for (reason, wanted) in cases {
                try await connection.script(
                    """
                    update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00',
                        next_check_reason = '\(reason)'
                    """)
                let due = try await extract.read(
                    keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [30])
                #expect(due.map(\.historyReach) == [wanted], "\(reason)")
                #expect(due.map(\.wantsOnlyRefunds) == [false], "\(reason)")
            }
        }
    }

    /// The watch alone fell due, and the state of the subscription is not in question: it has ended, or runs on.
    @Test func `B6: only refunds are wanted where the watch fell due and the state is known`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            let cases: [(state: String, reason: String, expiry: String, isAudit: Bool, only: Bool)] = [
                ("active", "refund_watch", "2026-04-01", false, true),
                ("trial", "refund_watch", "2026-04-01", false, true),
                ("expired", "refund_watch", "2026-03-01", false, true),
                ("revoked", "refund_watch", "2026-03-01", false, true),
                // Past its expiry its state must be asked for; so must that of one that awaits a payment.
                ("active", "refund_watch", "2026-03-01", false, false),
                ("grace", "refund_watch", "2026-03-01", false, false),
                ("billing_retry", "refund_watch", "2026-03-01", false, false),
                ("active", "at_expiry", "2026-04-01", false, false),
                ("expired", "notified", "2026-03-01", false, false),
                ("active", "refund_watch", "2026-04-01", true, false),
                // A day before the expiry is over: the regular check is due, too, and both are done.
                ("active", "refund_watch", "2026-03-11T02:15:00Z", false, false),
                ("trial", "refund_watch", "2026-03-10T12:00:00Z", false, false),
                ("active", "refund_watch", "2026-03-11T02:15:01Z", false, true),
            ]
            for it in cases {
                let isEnded = ["expired", "revoked"].contains(it.state)
                try await connection.script(
                    """
                    update subledger.subscriptions set state = '\(it.state)', next_check_reason = '\(it.reason)',
                        expires_at = '\(it.expiry)', last_checked_at = '2026-02-20',
                        ended_at = \(isEnded ? "'2026-03-01'" : "null"),
                        end_reason = \(it.state == "expired" ? "'voluntary'" : it.state == "revoked" ? "'refund'" : "null")
                    """)
                let due = try await extract.read(
                    keys: [key], now: ExtractWorld.now, isAudit: it.isAudit, refundWatchDays: [30])
                #expect(due.map(\.wantsOnlyRefunds) == [it.only], "\(it)")
            }
        }
    }

    @Test func `B7: what was committed to, and what the renewal costs, is read with the rest`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await ExtractWorld.key(of: "a", connection)
            let before = try await extract.read(keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
            #expect(before.map(\.snapshot.committedUntil) == [nil] && before.map(\.snapshot.renewalPrice) == [nil])
            try await connection.script(
                """
                update subledger.subscriptions set committed_until = '2027-01-01 00:00:00+00',
                    renewal_price_micros = 9990000, renewal_currency = 'EUR'
                """)
            let due = try await extract.read(keys: [key], now: ExtractWorld.now, isAudit: false, refundWatchDays: [])
            #expect(due.map(\.snapshot.committedUntil) == [Instant(iso8601: "2027-01-01T00:00:00Z")])
            #expect(due.map(\.snapshot.renewalPrice) == [RenewalPrice(micros: 9_990_000, currency: "EUR")])
        }
    }

    @Test func `B7: the level of a product is the one last imported of those valid on the day`() async throws {
        try await ExtractWorld.with([]) { connection, extract in
            try await connection.script(
                """
                insert into subledger.products (app_id, product_id, level, valid_from, recorded_run_id) values
                    ('acme-ios', 'monthly', 3, '-infinity', 0), ('acme-ios', 'monthly', 2, '-infinity', 1),
                    ('acme-ios', 'pro', 9, '-infinity', 1), ('acme-ios', 'pro', 1, '2026-03-10', 0),
                    ('acme-ios', 'pro', 4, '2026-03-11', 1), ('acme-ios', 'coins', null, '-infinity', 1),
                    ('acme-legacy', 'other', 5, '-infinity', 1)
                """)
            #expect(try await extract.levels(of: ExtractWorld.app, now: ExtractWorld.now) == ["monthly": 2, "pro": 1])
            try await connection.script(
                """
                insert into subledger.products (app_id, product_id, base_plan_id, level, recorded_run_id)
                values ('acme-ios', 'pro', 'yearly', 7, 2)
                """)
            let levels = try await extract.levels(of: ExtractWorld.app, now: ExtractWorld.now)
            #expect(levels.level(of: "pro", basePlanID: "yearly") == 7)
            #expect(levels.level(of: "pro", basePlanID: "monthly") == 1)
        }
    }
}
