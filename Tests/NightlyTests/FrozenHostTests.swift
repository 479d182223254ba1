// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Stores
import TestSupport
import Testing

@testable import Nightly
@testable import Runs

/// A host that froze in the middle of a load has locked its chunk: others end its session, and no session of one that lives.
@Suite(.hangLimit) struct FrozenHostTests {
    private static let overdue: [PostgresValue] = [.int(1), .text("50ms")]

    /// The app is part of the run, and the next run has a number of its own.
    private static func planApp(of world: ChunkWorld) async throws {
        try await world.connection.script(
            """
            insert into subledger.run_apps (run_id, app_id) values (1, 'acme-ios');
            alter table subledger.runs alter run_id restart with 2
            """)
    }

    /// The run has no leader any more, and host `elsewhere` has its first chunk, whose lease is over.
    private static func loseLeader(of world: ChunkWorld) async throws {
        try await world.connection.script(
            """
            update subledger.run_apps set state = 'open', reason = null, closed_at = null;
            update subledger.runs set leased_until = null;
            update subledger.run_chunks set
                state = 'leased', leased_by = 'elsewhere.example:7:1:acme-ios', leased_until = now() - interval '1 s'
            where chunk_no = 1
            """)
    }

    /// A session of host `elsewhere`, so numbered, in a transaction.
    private static func session(
        _ number: Int, of world: ChunkWorld, doing script: String = "select 1"
    ) async throws -> PostgresConnection {
        let session = try await world.connect()
        try await SessionName(ofHost: "elsewhere.example:7:\(number)").give(to: session)
        try await session.script("begin; \(script)")
        return session
    }

    private static let locking = "select from subledger.run_chunks where chunk_no = 1 for update"

    /// A night with two chunks; the leases of hosts 1 and 2 are over, that of host 3 is not.
    private static func with(_ body: (ChunkWorld, RunLedger, Run) async throws -> Void) async throws {
        try await ChunkWorld.with { world in
            try await world.open(1, chunks: 3)
            try await world.connection.script(
                """
                update subledger.runs set leased_until = now() + interval '1 hour';
                update subledger.run_chunks set
                    leased_by = 'elsewhere.example:7:' || chunk_no || ':acme-ios:1:2:',
                    leased_until = now() + interval '1 hour' * (chunk_no - 2.5)
                """)
            let run = Run(id: 1, job: .nightly, now: ChunkWorld.march, generation: 1, isResumed: false)
            try await body(world, RunLedger(connection: world.connection), run)
        }
    }

    private static func sessions(_ world: ChunkWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select substring(application_name from ' host .*') as name from pg_stat_activity
            where datname = current_database() and application_name like '% host %' order by 1
            """)
    }

    @Test func `of hosts whose leases are over, sessions that are silent in a transaction are ended`() async throws {
        try await Self.with { world, ledger, run in
            let frozen = try await Self.session(1, of: world, doing: Self.locking)
            let living = try await Self.session(3, of: world)
            let slow = try await Self.session(2, of: world)
            // The server is at what a host has asked for.
            let blocker = try await world.connect()
            try await blocker.script("begin; select pg_advisory_xact_lock(4711)")
            let waiting = Task { try await slow.script("select pg_advisory_xact_lock(4711); rollback") }
            try await world.connection.waitForWaiters()
            try await ledger.endSilentSessions(of: run, silentFor: 3_600, world.log.logger)
            #expect(try await Self.sessions(world) == [" host 7:1", " host 7:2", " host 7:3"], "not for so long")
            try await ledger.endSilentSessions(of: run, silentFor: 0, world.log.logger)
            #expect(try await Self.sessions(world) == [" host 7:2", " host 7:3"])
            #expect(world.log.lines.contains { $0.contains("of a host of run 1 whose lease is over") })
            try await blocker.script("rollback")
            try await waiting.value
            for session in [frozen, living, slow, blocker] { await session.close() }
        }
    }

    @Test func `a leader whose own lease is over is such a host`() async throws {
        try await Self.with { world, ledger, run in
            let leading = try await world.connect()
            try await SessionName(of: run).give(to: leading)
            try await leading.script("begin; \(Self.locking)")
            let locked =
                "select count(*) from pg_stat_activity where application_name like '% run 1.1' and datname = current_database()"
            try await ledger.endSilentSessions(of: run, silentFor: 0, world.log.logger)
            #expect(try await world.connection.lines(locked) == ["1"])
            try await world.connection.script("update subledger.runs set leased_until = now() - interval '1 s'")
            try await ledger.endSilentSessions(of: run, silentFor: 0, world.log.logger)
            #expect(try await world.connection.lines(locked) == ["0"])
            await leading.close()
        }
    }

    @Test func `what is not locked is free at once, and a lock is waited for no longer than is said`() async throws {
        try await Self.with { world, _, _ in
            let loading = try await Self.session(1, of: world, doing: Self.locking)
            try await world.connection.execute(SQL.Pipeline.releaseChunks, [.int(1)])
            let chunks = "select chunk_no, state, generation from subledger.run_chunks where chunk_no < 3 order by 1"
            #expect(try await world.connection.lines(chunks) == ["1|leased|1", "2|pending|2"])
            let refusal = await #expect(throws: PostgresError.self) {
                try await world.connection.query(SQL.Pipeline.awaitOverdueChunks, Self.overdue)
            }
            #expect(refusal?.sqlState == "55P03")
            try await loading.script("rollback")
            #expect(try await world.connection.query(SQL.Pipeline.awaitOverdueChunks, Self.overdue).count == 1)
            #expect(try await world.connection.lines("select current_setting('lock_timeout') as it") == ["0"])
            await loading.close()
        }
    }

    @Test func `neither who stops its app nor who closes the night waits for it`() async throws {
        try await Self.with { world, _, run in
            let ledger = RunLedger(connection: world.connection, leaseSeconds: 0)
            let chunks = "select state from subledger.run_chunks order by chunk_no"
            try await Self.planApp(of: world)
            let stopped = try await Self.session(1, of: world, doing: Self.locking)
            try await ledger.stop(ChunkWorld.app, of: run, because: "The key is refused.")
            #expect(try await world.connection.lines(chunks) == ["abandoned", "abandoned", "abandoned"])
            try await Self.loseLeader(of: world)
            let closed = try await Self.session(1, of: world, doing: Self.locking)
            let next = try await ledger.open(
                .nightly, apps: [ChunkWorld.app], now: ChunkWorld.march + .days(3),
                businessDate: BusinessDate(lastCompleteDayBefore: ChunkWorld.march + .days(3), in: .utc))
            #expect(next.id != run.id && !next.isResumed)
            let outcomes = "select outcome, seal from subledger.runs order by logical_now"
            #expect(try await world.connection.lines(outcomes) == ["failed|1", "running|"])
            await stopped.close()
            await closed.close()
        }
    }

    /// Its silence is shorter than a lease when it is met: the wait for its chunk ends before its session does, and then it is looked at
    /// again.
    @Test func `one that froze a moment ago is waited for no longer than a lease`() async throws {
        try await Self.with { world, _, run in
            let ledger = RunLedger(connection: world.connection, leaseSeconds: 1)
            try await Self.planApp(of: world)
            let stopped = try await Self.session(1, of: world, doing: Self.locking)
            try await ledger.stop(ChunkWorld.app, of: run, because: "The key is refused.")
            #expect(try await Self.sessions(world) == [])
            try await Self.loseLeader(of: world)
            let closed = try await Self.session(1, of: world, doing: Self.locking)
            let now = ChunkWorld.march + .days(3)
            let next = try await ledger.open(
                RunRequest(
                    .nightly, apps: [ChunkWorld.app], now: now,
                    businessDate: BusinessDate(lastCompleteDayBefore: now, in: .utc)), logger: world.log.logger)
            #expect(next.id != run.id && !next.isResumed)
            #expect(world.log.lines.contains { $0.contains("somebody has rows of run 1 locked, whose leader is dead") })
            for session in [stopped, closed] { await session.close() }
        }
    }

    @Test func `sessions of who works along have the name by which its chunks are leased`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let night = try await world.plannedNight()
            await night.ledger.leave(night.run, because: PipelineError(.failed, "the disk is full"))
            let store = ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }
            _ = try await world.work(along: store, waiting: .milliseconds(20))
            let hosts = """
                select distinct ' host ' || split_part(host_name, ':', 2) || ':' || split_part(host_name, ':', 3) as name
                from subledger.run_hosts
                """
            #expect(try await Set(Self.sessions(world)) == Set(try await world.connection.lines(hosts)))
        }
    }
}
