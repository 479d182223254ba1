// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What is due, in which chunks, and with what we knew of it.
@Suite struct ExtractStageTests {
    /// 2026-03-10T02:15:00Z.
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let app = AppID("acme-ios")

    /// Subscriptions by store key, each due or not, with its expiry; and a run to plan for.
    private static func with<R>(
        _ subscriptions: [(key: String, nextCheck: String?, expiry: String)],
        _ body: (PostgresConnection, ExtractStage) async throws -> R
    ) async throws -> R {
        try await withLedgerDatabase { connection, _ in
            for it in subscriptions {
                let check = it.nextCheck.map { "'\($0)'" } ?? "null"
                try await connection.script(
                    """
                    select subledger.register('acme-ios', '\(it.key)');
                    update subledger.subscriptions set next_check_at = \(check), expires_at = '\(it.expiry)'
                    where store_key = '\(it.key)'
                    """)
            }
            try await connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-03-09', now(), 'test', 1)
                """)
            return try await body(connection, ExtractStage(connection: connection))
        }
    }

    private static func chunks(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select chunk_no, (
                select string_agg(s.store_key, ',' order by place)
                from unnest(subscription_keys) with ordinality as k (key, place)
                join subledger.subscriptions s on s.subscription_key = k.key) as store_keys
            from subledger.run_chunks order by chunk_no
            """)
    }

    @Test func thoseWhoseAccessEndsSoonestComeFirst() async throws {
        let due = [
            ("a", "2026-03-10", "2026-04-03"), ("b", "2026-03-10", "2026-04-01"), ("c", "2026-03-10", "2026-04-02"),
        ]
        try await Self.with(due) { connection, extract in
            let planned = try await extract.plan(Self.plan(), chunkSize: 2, after: 0)
            #expect(planned.chunks == 2 && planned.due == 3)
            #expect(try await Self.chunks(connection) == ["1|b,c", "2|a"])
        }
    }

    @Test("B1: only what is due is planned, once; an audit plans all that is not closed")
    func onlyWhatIsDueIsPlannedOnceAndAnAuditPlansAllThatIsNotClosed() async throws {
        let mixed: [(key: String, nextCheck: String?, expiry: String)] = [
            ("due", "2026-03-10 02:15:00+00", "2026-04-01"), ("later", "2026-03-10 02:15:01+00", "2026-04-02"),
            ("closed", nil, "2026-02-01"), ("new", "-infinity", "2026-05-01"),
        ]
        try await Self.with(mixed) { connection, extract in
            _ = try await extract.plan(Self.plan(), chunkSize: 10, after: 0)
            _ = try await extract.plan(Self.plan(isAudit: true), chunkSize: 10, after: 1)
            #expect(try await Self.chunks(connection) == ["1|due,new", "2|later"])
        }
    }

    @Test("B1: an audit leaves what has ended alone, though a refund watch is still to come")
    func anAuditLeavesAloneWhatHasEndedThoughARefundWatchIsStillToCome() async throws {
        let followed: [(key: String, nextCheck: String?, expiry: String)] = [
            ("expired", "2026-03-20", "2026-02-01"), ("revoked", "2026-03-20", "2026-02-02"),
            ("retrying", "2026-03-20", "2026-03-01"), ("woken", "-infinity", "2026-02-03"),
        ]
        try await Self.with(followed) { connection, extract in
            try await connection.script(
                """
                update subledger.subscriptions set last_checked_at = '2026-02-20';
                update subledger.subscriptions set state = 'billing_retry' where store_key = 'retrying';
                update subledger.subscriptions set ended_at = '2026-02-01',
                    state = case store_key when 'revoked' then 'revoked' else 'expired' end,
                    end_reason = case store_key when 'revoked' then 'refund' else 'voluntary' end
                where store_key <> 'retrying'
                """)
            _ = try await extract.plan(Self.plan(isAudit: true), chunkSize: 10, after: 0)
            #expect(try await Self.chunks(connection) == ["1|woken,retrying"])
            let rehearsed = try await connection.query(
                SQL.Pipeline.listDueKeys, [PostgresValue(Self.app), PostgresValue(Self.now), true])
            #expect(rehearsed.count == 2)
        }
    }

    /// Every subscription is due again when all have been asked: an outage, or an audit. Statistics say that none is.
    @Test("Planned again, each of those due is looked up, and not looked for in every chunk of the run")
    func planningAgainTouchesAFewPagesForEachThatIsDue() async throws {
        let touched = try await Self.pagesTouchedPlanningAgain(due: 8_000)
        // In every chunk it would be more than fifty pages for each.
        #expect(touched < 8_000 * 20, "\(touched) pages for 8,000 due")
    }

    private static func pagesTouchedPlanningAgain(due count: Int) async throws -> Int64 {
        try await with([]) { connection, extract in
            try await connection.script(
                """
                analyze subledger.subscriptions; analyze subledger.run_chunks;
                select count(subledger.register('acme-ios', n::text)) from generate_series(1, \(count)) n
                """)
            _ = try await extract.plan(plan(), chunkSize: 5, after: 0)
            try await connection.script(
                "update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0; "
                    + "update subledger.subscriptions set next_check_at = '2026-03-10'")
            let before = try await pagesTouched(connection)
            _ = try await extract.plan(plan(), chunkSize: 5, after: count / 5)
            return try await pagesTouched(connection) - before
        }
    }

    /// What this session has read of tables and indexes, in pages.
    private static func pagesTouched(_ connection: PostgresConnection) async throws -> Int64 {
        try await connection.script("select pg_stat_force_next_flush()")
        let lines = try await connection.lines(
            """
            select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
                + coalesce(toast_blks_hit + toast_blks_read, 0) + coalesce(tidx_blks_hit + tidx_blks_read, 0))::bigint
            from pg_statio_user_tables where relname in ('subscriptions', 'run_chunks', 'run_plan')
            """)
        return try #require(lines.first.flatMap { Int64($0) })
    }

    @Test("B6: what an answer woke is asked a second time in the same run, and no third; one still open waits")
    func whatAnAnswerWokeIsAskedASecondTimeInTheSameRunAndNoThird() async throws {
        let due: [(key: String, nextCheck: String?, expiry: String)] = [
            ("open", "-infinity", "2026-04-01"), ("woken", "2026-03-10", "2026-04-02"),
        ]
        try await Self.with(due) { connection, extract in
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 0)
            try await Self.finishAndWake(2, connection)
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 2)
            #expect(try await Self.chunks(connection) == ["1|open", "2|woken", "3|woken"])
            try await Self.finishAndWake(3, connection)
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 3)
            #expect(try await Self.chunks(connection) == ["1|open", "2|woken", "3|woken"])
        }
    }

    private static func finishAndWake(_ chunk: Int, _ connection: PostgresConnection) async throws {
        try await connection.script(
            """
            update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0
            where chunk_no = \(chunk);
            update subledger.subscriptions set next_check_at = '-infinity' where store_key = 'woken'
            """)
    }

    @Test func subscriptionsOfOneReceiptAreAskedTogether() async throws {
        let due: [(key: String, nextCheck: String?, expiry: String)] = [
            ("a", "2026-03-10", "2026-04-01"), ("b", nil, "2026-09-01"), ("c", "2026-03-10", "2026-04-02"),
        ]
        try await Self.with(due) { connection, extract in
            try await connection.script(
                "update subledger.subscriptions set receipt_id = 7 where store_key in ('a', 'b')")
            _ = try await extract.plan(Self.plan(), chunkSize: 1, after: 0)
            let planned = try await Self.chunks(connection)
            #expect(planned.count == 2)
            #expect(planned[0] == "1|a,b" || planned[0] == "1|b,a")
            #expect(planned[1] == "2|c")
        }
    }

    @Test("B6: the history is wanted by an audit and where a charge falls under the refund watch")
    func historyIsWantedByAnAuditAndWhenAChargesRefundWatchFellDue() async throws {
        try await Self.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await Self.key(of: "a", connection)
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
            for (isAudit, days, expected) in [(false, [30, 60], true), (false, [31], false), (true, [], true)] {
                let due = try await extract.read(
                    keys: [key], now: Self.now, isAudit: isAudit, refundWatchDays: days.map(Int64.init))
                #expect(due.map(\.wantsHistory) == [expected])
                #expect(due.first?.known.map(\.transactionID) == ["t"])
            }
        }
    }

    @Test("C1: a refund that was told wants the charges again, another notification does not")
    func aToldRefundWantsTheChargesAgainANotificationDoesNot() async throws {
        try await Self.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await Self.key(of: "a", connection)
            for (reason, wanted) in [("refund_told", true), ("notified", false), ("before_expiry", false)] {
                try await connection.script(
                    """
                    update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-09 02:15:00+00',
                        next_check_reason = '\(reason)'
                    """)
                let due = try await extract.read(keys: [key], now: Self.now, isAudit: false, refundWatchDays: [30])
                #expect(due.map(\.wantsHistory) == [wanted], "\(reason)")
                #expect(due.map(\.wantsOnlyRefunds) == [false], "\(reason)")
            }
        }
    }

    @Test("B7: the level of a product is the one last imported of those that hold on the day")
    func theLevelOfAProductIsTheOneLastImportedOfThoseThatHoldOnTheDay() async throws {
        try await Self.with([]) { connection, extract in
            try await connection.script(
                """
                insert into subledger.products (app_id, product_id, level, valid_from, recorded_run_id) values
                    ('acme-ios', 'monthly', 3, '-infinity', 0), ('acme-ios', 'monthly', 2, '-infinity', 1),
                    ('acme-ios', 'pro', 9, '-infinity', 1), ('acme-ios', 'pro', 1, '2026-03-10', 0),
                    ('acme-ios', 'pro', 4, '2026-03-11', 1), ('acme-ios', 'coins', null, '-infinity', 1),
                    ('acme-legacy', 'other', 5, '-infinity', 1)
                """)
            #expect(try await extract.levels(of: Self.app, now: Self.now) == ["monthly": 2, "pro": 1])
            try await connection.script(
                """
                insert into subledger.products (app_id, product_id, base_plan_id, level, recorded_run_id)
                values ('acme-ios', 'pro', 'yearly', 7, 2)
                """)
            let levels = try await extract.levels(of: Self.app, now: Self.now)
            #expect(levels.level(of: "pro", basePlanID: "yearly") == 7)
            #expect(levels.level(of: "pro", basePlanID: "monthly") == 1)
        }
    }

    /// The watch alone fell due, and where the subscription stands is not in question: it has ended, or runs on.
    @Test("B6: only refunds are wanted where the watch fell due and the state is known")
    func onlyRefundsAreWantedWhereTheWatchFellDueAndTheStateIsKnown() async throws {
        try await Self.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            let key = try await Self.key(of: "a", connection)
            let cases: [(state: String, reason: String, expiry: String, isAudit: Bool, only: Bool)] = [
                ("active", "refund_watch", "2026-04-01", false, true),
                ("trial", "refund_watch", "2026-04-01", false, true),
                ("expired", "refund_watch", "2026-03-01", false, true),
                ("revoked", "refund_watch", "2026-03-01", false, true),
                // Past its expiry it must be asked where it stands; so must one that awaits a payment.
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
                    keys: [key], now: Self.now, isAudit: it.isAudit, refundWatchDays: [30])
                #expect(due.map(\.wantsOnlyRefunds) == [it.only], "\(it)")
            }
        }
    }

    private static func plan(isAudit: Bool = false) -> ExtractStage.Plan {
        ExtractStage.Plan(runID: 1, appID: app, now: now, isAudit: isAudit)
    }

    private static func key(of storeKey: String, _ connection: PostgresConnection) async throws -> SubscriptionKey {
        let line = try await connection.lines(
            "select subscription_key from subledger.subscriptions where store_key = '\(storeKey)'"
        ).first
        return SubscriptionKey(try #require(line.flatMap { Int64($0) }))
    }
}
