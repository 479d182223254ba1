// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What is due, and in which chunks.
@Suite struct ExtractPlanTests {
    @Test func `those whose access ends soonest come first`() async throws {
        let due = [
            ("a", "2026-03-10", "2026-04-03"), ("b", "2026-03-10", "2026-04-01"), ("c", "2026-03-10", "2026-04-02"),
        ]
        try await ExtractWorld.with(due) { connection, extract in
            let planned = try await extract.plan(ExtractWorld.plan(), chunkSize: 2, after: 0)
            #expect(planned.chunks == 2 && planned.due == 3)
            #expect(try await ExtractWorld.chunks(connection) == ["1|b,c", "2|a"])
        }
    }

    @Test func `B1: only what is due is planned, once; an audit plans all that is not closed`() async throws {
        let mixed: [(key: String, nextCheck: String?, expiry: String)] = [
            ("due", "2026-03-10 02:15:00+00", "2026-04-01"), ("later", "2026-03-10 02:15:01+00", "2026-04-02"),
            ("closed", nil, "2026-02-01"), ("new", "-infinity", "2026-05-01"),
        ]
        try await ExtractWorld.with(mixed) { connection, extract in
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 10, after: 0)
            _ = try await extract.plan(ExtractWorld.plan(isAudit: true), chunkSize: 10, after: 1)
            #expect(try await ExtractWorld.chunks(connection) == ["1|due,new", "2|later"])
        }
    }

    @Test func `a leader whose run was taken over plans nothing any more`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-03")]) { connection, extract in
            try await connection.script("update subledger.runs set leader_generation = 2")
            await #expect(throws: ExtractStage.RunLost.self) {
                try await extract.plan(ExtractWorld.plan(), chunkSize: 2)
            }
            let chunks = try await ExtractWorld.chunks(connection)
            #expect(chunks == [])
        }
    }

    @Test func `B1: an audit leaves what has ended alone, though a refund watch is still to come`() async throws {
        let followed: [(key: String, nextCheck: String?, expiry: String)] = [
            ("expired", "2026-03-20", "2026-02-01"), ("revoked", "2026-03-20", "2026-02-02"),
            ("retrying", "2026-03-20", "2026-03-01"), ("woken", "-infinity", "2026-02-03"),
        ]
        try await ExtractWorld.with(followed) { connection, extract in
            try await connection.script(
                """
                update subledger.subscriptions set last_checked_at = '2026-02-20';
                update subledger.subscriptions set state = 'billing_retry' where store_key = 'retrying';
                update subledger.subscriptions set ended_at = '2026-02-01',
                    state = case store_key when 'revoked' then 'revoked' else 'expired' end,
                    end_reason = case store_key when 'revoked' then 'refund' else 'voluntary' end
                where store_key <> 'retrying'
                """)
            _ = try await extract.plan(ExtractWorld.plan(isAudit: true), chunkSize: 10, after: 0)
            #expect(try await ExtractWorld.chunks(connection) == ["1|woken,retrying"])
            let rehearsed = try await connection.query(
                SQL.Pipeline.listDueKeys,
                [PostgresValue(ExtractWorld.app), PostgresValue(ExtractWorld.now), true, false])
            #expect(rehearsed.count == 2)
        }
    }

    /// Every subscription is due again when all have been asked: an outage, or an audit.
    ///
    /// Statistics say that none is.
    @Test
    func `planned again, each of those due is looked up, and not looked for in every chunk of the run`() async throws {
        let read = try await Self.pagesReadPlanningAgain(due: 8_000)
        // In every chunk it would be more than fifty pages for each.
        #expect(read < 8_000 * 20, "\(read) pages for 8,000 due")
    }

    private static func pagesReadPlanningAgain(due count: Int) async throws -> Int64 {
        try await ExtractWorld.with([]) { connection, extract in
            try await connection.script(
                """
                analyze subledger.subscriptions; analyze subledger.run_chunks;
                select count(subledger.register('acme-ios', n::text)) from generate_series(1, \(count)) n
                """)
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 5, after: 0)
            try await connection.script(
                "update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0; "
                    + "update subledger.subscriptions set next_check_at = '2026-03-10'")
            let before = try await pagesRead(connection)
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 5, after: count / 5)
            return try await pagesRead(connection) - before
        }
    }

    /// What this session has read of tables and indexes, in pages.
    private static func pagesRead(_ connection: PostgresConnection) async throws -> Int64 {
        try await connection.script("select pg_stat_force_next_flush()")
        let lines = try await connection.lines(
            """
            select sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0)
                + coalesce(toast_blks_hit + toast_blks_read, 0) + coalesce(tidx_blks_hit + tidx_blks_read, 0))::bigint
            from pg_statio_user_tables where relname in ('subscriptions', 'run_chunks', 'run_plan')
            """)
        return try #require(lines.first.flatMap { Int64($0) })
    }

    @Test
    func `B6: what an answer made due is asked a second time in its run, and no third; an open one waits`() async throws
    {
        let due: [(key: String, nextCheck: String?, expiry: String)] = [
            ("open", "-infinity", "2026-04-01"), ("woken", "2026-03-10", "2026-04-02"),
        ]
        try await ExtractWorld.with(due) { connection, extract in
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 0)
            try await Self.finishAndRequest(2, connection)
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 2)
            #expect(try await ExtractWorld.chunks(connection) == ["1|open", "2|woken", "3|woken"])
            try await Self.finishAndRequest(3, connection)
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 3)
            #expect(try await ExtractWorld.chunks(connection) == ["1|open", "2|woken", "3|woken"])
        }
    }

    @Test func `what waits for a decision was asked, and is not asked again before it`() async throws {
        try await ExtractWorld.with([("woken", "-infinity", "2026-04-01")]) { connection, extract in
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 0)
            try await Self.finishAndRequest(1, connection)
            try await connection.script(
                """
                insert into subledger.deferred_checks (run_id, chunk_no, load, app_id, subscription_keys, counts, rows)
                select run_id, chunk_no, 1, app_id, subscription_keys, '{}', '' from subledger.run_chunks
                """)
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 1)
            #expect(try await ExtractWorld.chunks(connection) == ["1|woken"])
            try await connection.script("delete from subledger.deferred_checks")
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 1)
            #expect(try await ExtractWorld.chunks(connection) == ["1|woken", "2|woken"])
        }
    }

    private static func finishAndRequest(_ chunk: Int, _ connection: PostgresConnection) async throws {
        try await connection.script(
            """
            update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0
            where chunk_no = \(chunk);
            update subledger.subscriptions set next_check_at = '-infinity' where store_key = 'woken'
            """)
    }

    @Test func `subscriptions of one receipt are asked together`() async throws {
        let due: [(key: String, nextCheck: String?, expiry: String)] = [
            ("a", "2026-03-10", "2026-04-01"), ("b", nil, "2026-09-01"), ("c", "2026-03-10", "2026-04-02"),
        ]
        try await ExtractWorld.with(due) { connection, extract in
            try await connection.script(
                "update subledger.subscriptions set receipt_id = 7 where store_key in ('a', 'b')")
            _ = try await extract.plan(ExtractWorld.plan(), chunkSize: 1, after: 0)
            let planned = try await ExtractWorld.chunks(connection)
            #expect(planned.count == 2)
            #expect(planned[0] == "1|a,b" || planned[0] == "1|b,a")
            #expect(planned[1] == "2|c")
        }
    }

    /// A leader that was frozen in the middle of its plan, and its successor, which plans another app meanwhile.
    @Test func `two who plan for a run at once number its chunks one after the other`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            try await connection.script(
                "select subledger.record_registration('acme-receipts', 'b')")
            let other = try await PostgresConnection.connect(connection.configuration)
            let watching = try await PostgresConnection.connect(connection.configuration)
            try await other.script("begin")
            let first = ExtractStage.Plan(
                runID: 1, generation: 1, appID: AppID("acme-receipts"), now: ExtractWorld.now, isAudit: false)
            _ = try await ExtractStage(connection: other).plan(first, chunkSize: 1, after: 0)
            let second = Task { try await extract.plan(ExtractWorld.plan(), chunkSize: 1) }
            try await watching.waitForWaiters()
            try await other.script("commit")
            #expect(try await second.value.chunks == 1)
            let chunks = "select chunk_no, app_id from subledger.run_chunks order by chunk_no"
            #expect(try await watching.lines(chunks) == ["1|acme-receipts", "2|acme-ios"])
            await other.close()
            await watching.close()
        }
    }

    /// Who closes a run locks it before its apps' rows.
    @Test func `who plans locks the run before its app`() async throws {
        try await ExtractWorld.with([("a", "2026-03-10", "2026-04-01")]) { connection, extract in
            try await connection.script("insert into subledger.run_apps (run_id, app_id) values (1, 'acme-ios')")
            let sealing = try await PostgresConnection.connect(connection.configuration)
            let watching = try await PostgresConnection.connect(connection.configuration)
            try await sealing.script("begin; set local lock_timeout = '2s'")
            _ = try await sealing.query(SQL.Pipeline.lockToSeal, [.int(1), .int(1)])
            let planning = Task { try await extract.plan(ExtractWorld.plan(), chunkSize: 1) }
            try await watching.waitForWaiters()
            try await sealing.script(
                """
                update subledger.run_apps set state = 'done', closed_at = now();
                update subledger.runs set seal = 1, sealed_at = now(); commit
                """)
            await #expect(throws: ExtractStage.RunLost.self) { try await planning.value }
            #expect(try await watching.lines("select 1 from subledger.run_chunks") == [])
            await sealing.close()
            await watching.close()
        }
    }
}
