// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Whoever loads locks the chunk before its run, as who closes the run does (sql/README.md, "The order of locks").
@Suite(.hangLimit) struct LockOrderTests {
    private static let own: [PostgresValue] = [.int(1), .int(1)]
    private static let deferred = "select count(*) from subledger.deferred_checks"
    private static let failures = "select failures from subledger.subscriptions"

    /// A night whose only chunk is done but for a failed check that was deferred; returns the number of its load.
    private static func `defer`(in world: ChunkWorld) async throws -> Int64 {
        let key = try await world.connection.lines("select subledger.register('acme-ios', '1001') as key")[0]
        let failed = SubscriptionKey(try #require(Int64(key)))
        var rows = ChunkRows()
        rows.asked = [failed: 0]
        rows.failures = [
            FailedCheck(
                key: failed, kind: .notFound, reason: "wrong_bundle", message: "It is another app's.", failures: 1,
                nextCheck: NextCheck(at: ChunkWorld.march + .days(2), reason: .notFound))
        ]
        try await world.open(1)
        let chunk = world.chunk(1)
        _ = try await LoadStage(connection: world.connection).load(
            ChunkRows(), as: chunk, counts: [:], deferring: rows)
        return chunk.load
    }

    private static func decide(
        _ load: Int64, in world: ChunkWorld, leader: Int64? = nil, on connection: PostgresConnection? = nil
    ) async throws -> Bool {
        try await LoadStage(connection: connection ?? world.connection)
            .loadDeferred(load, of: world.chunk(1), leader: leader)
    }

    @Test func `a load that meets a seal waits for it, and is refused`() async throws {
        try await ChunkWorld.with { world in
            try await world.open(1)
            let sealing = try await world.connect()
            try await sealing.script("begin")
            _ = try await sealing.query(SQL.Pipeline.lockToSeal, Self.own)
            var rows = ChunkRows()
            rows.transactions = [ChunkWorld.period(of: SubscriptionKey(1))]
            let loading = Task { [rows] in try await world.load([rows], as: world.chunk(1)) }
            try await world.connection.waitForWaiters()
            try await sealing.script("update subledger.runs set seal = 1, sealed_at = now(); commit")
            let refusal = await #expect(throws: LoadError.self) { try await loading.value }
            #expect(refusal?.isOfOthers == true && refusal?.description.contains("run 1 is sealed") == true)
            #expect(try await world.connection.lines("select 1 from subledger.transactions") == [])
            await sealing.close()
        }
    }

    @Test func `who closes a run does not wait for a deferred check that waits for it`() async throws {
        try await ChunkWorld.with { world in
            let load = try await Self.defer(in: world)
            // A part of the chunk is still to be asked.
            try await world.connection.script("update subledger.run_chunks set state = 'pending'")
            let (closing, deciding) = (try await world.connect(), try await world.connect())
            try await closing.script("begin; set local lock_timeout = '2s'")
            try await closing.execute(SQL.Pipeline.abandonChunks, [.int(1), .textArray(["acme-ios"]), .int(1)])
            let decision = Task { try await Self.decide(load, in: world, on: deciding) }
            try await world.connection.waitForWaiters()
            #expect(try await closing.query(SQL.Pipeline.lockToSeal, Self.own).count == 1)
            try await closing.script("update subledger.runs set seal = 1, sealed_at = now(); commit")
            #expect(try await decision.value)
            #expect(try await world.connection.lines(Self.deferred) == ["1"], "nothing of a sealed run is decided")
            #expect(try await world.connection.lines(Self.failures) == ["0"])
            await closing.close()
            await deciding.close()
        }
    }

    @Test func `what is deferred is loaded again where the database ended a deadlock, and once`() async throws {
        try await ChunkWorld.with { world in
            let load = try await Self.defer(in: world)
            try await world.connection.script(
                """
                create sequence public.tries;
                create function public.once() returns trigger language plpgsql as $once$
                begin
                    if nextval('public.tries') = 1 then
                        raise exception 'deadlock detected' using errcode = 'deadlock_detected';
                    end if;
                    return old;
                end $once$;
                create trigger once before delete on subledger.deferred_checks for each row execute function public.once()
                """)
            #expect(try await Self.decide(load, in: world))
            #expect(try await Self.decide(load, in: world))
            #expect(try await world.connection.lines(Self.failures) == ["1"])
            #expect(try await world.connection.lines("select last_value from public.tries") == ["2"])
        }
    }

    /// As another version of the program may write it.
    @Test func `what was deferred and cannot be read is asked again`() async throws {
        try await ChunkWorld.with { world in
            let load = try await Self.defer(in: world)
            try await world.connection.script("update subledger.deferred_checks set rows = '{\"of\": \"another\"}'")
            #expect(try await Self.decide(load, in: world, leader: 2), "another process leads")
            #expect(try await world.connection.lines(Self.deferred) == ["1"])
            #expect(try await !Self.decide(load, in: world, leader: 1))
            #expect(try await world.connection.lines(Self.deferred) == ["0"])
            let chunks = """
                select state, generation, remaining_keys = array(select subscription_key from subledger.subscriptions) as is_all
                from subledger.run_chunks
                """
            #expect(try await world.connection.lines(chunks) == ["pending|2|true"])
        }
    }

    /// A worker is at another part of it: that is asked again with it, and the worker loads nothing more.
    @Test func `so is the part of its chunk that is open`() async throws {
        try await ChunkWorld.with { world in
            let load = try await Self.defer(in: world)
            try await world.connection.script(
                """
                update subledger.deferred_checks set rows = '[]', subscription_keys = '{9}';
                update subledger.run_chunks set state = 'leased', remaining_keys = '{7,8}', generation = 3, leased_by = 'w',
                    leased_until = now() + interval '1 hour'
                """)
            #expect(try await !Self.decide(load, in: world))
            let chunks = "select state, generation, remaining_keys::text, leased_by from subledger.run_chunks"
            #expect(try await world.connection.lines(chunks) == ["pending|4|{7,8,9}|"])
        }
    }
}
