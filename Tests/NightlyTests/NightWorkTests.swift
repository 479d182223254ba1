// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Stores
import TestSupport
import Testing

@testable import Nightly
@testable import Runs

/// `work` joins nights of its apps, works over all their rounds, and stays until they are sealed (RULINGS §8).
@Suite(.hangLimit) struct NightWorkTests {
    private static func store() -> ScriptedStore {
        ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }
    }

    private static let undone = "select count(*) from subledger.run_chunks where state <> 'done'"

    @Test func `it stays until the night is sealed, also for what is planned while it works`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1020).map(String.init))
            let night = try await world.plannedNight()
            let store = Self.store()
            async let working = world.work(along: store, waiting: .seconds(60))
            try await world.wait(until: Self.undone, is: ["0"])
            try await world.register((1021...1030).map(String.init))
            try await world.connection.script(
                """
                insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                select \(night.run.id), 9, 'acme-ios', array_agg(subscription_key)
                from subledger.subscriptions where last_run_id is null
                """)
            try await world.wait(until: Self.undone, is: ["0"])
            _ = try await night.ledger.seal(night.run)
            #expect(try await working == .sealed)
            #expect(store.questions.count == 30 && store.questions.values.allSatisfy { $0 == 1 })
            let noted = "select sum(chunks), sum(checks) from subledger.run_hosts"
            #expect(try await world.connection.lines(noted) == ["3|30"])
        }
    }

    @Test func `where the leader is gone it does what is planned, and the next leader asks nothing of it again`()
        async throws
    {
        try await ChunkWorld.with { world in
            try await world.register((1001...1030).map(String.init))
            let night = try await world.plannedNight()
            await night.ledger.leave(night.run, because: PipelineError(.failed, "the disk is full"))
            let store = Self.store()
            let ending = try await world.work(along: store, waiting: .milliseconds(20))
            #expect(ending == .leaderless(run: night.run.id))
            #expect(store.questions.count == 30)
            let leader = Self.store()
            #expect(try await world.night(1, asking: leader) == .done)
            #expect(leader.questions == [:])
            #expect(try await world.connection.lines("select run_id, seal from subledger.runs") == ["1|1"])
        }
    }

    @Test func `without a night it waits so long, and is done where its apps have had their date`() async throws {
        try await ChunkWorld.with { world in
            let store = Self.store()
            #expect(try await world.work(along: store, waiting: .milliseconds(20)) == .noNight)
            #expect(try await world.night(1, asking: store) == .done)
            #expect(try await world.work(along: store, waiting: .milliseconds(20)) == .alreadyDone)
            try await world.connection.script(
                "update subledger.run_apps set state = 'stopped', reason = 'down', is_late = true")
            #expect(try await world.work(along: store, waiting: .milliseconds(20)) == .noNight)
        }
    }

    /// The lease of the worker elsewhere holds: its chunk is not claimed, and the night is not over.
    @Test func `a leader waits for the chunks that others are at`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1020).map(String.init))
            let night = try await world.plannedNight()
            await night.ledger.leave(night.run, because: PipelineError(.failed, "the disk is full"))
            try await world.connection.script(
                """
                update subledger.run_chunks set
                    state = 'leased', generation = 1, leased_by = 'elsewhere:2:3:1', leased_until = now() + interval '1 hour'
                where chunk_no = 1
                """)
            let store = Self.store()
            async let leading = world.night(1, asking: store)
            try await world.wait(until: Self.undone, is: ["1"])
            #expect(store.questions.count == 10)
            try await world.connection.script(
                "update subledger.run_chunks set leased_until = now() where state = 'leased'")
            #expect(try await leading == .done)
            #expect(store.questions.count == 20 && store.questions.values.allSatisfy { $0 == 1 })
        }
    }
}
