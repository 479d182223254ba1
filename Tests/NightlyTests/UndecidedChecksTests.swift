// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import Stores
import TestSupport
import Testing

@testable import Nightly

/// Held checks are the run's (RULINGS §8): whoever leads it when its last chunk is done decides on them, and no seal passes them over.
@Suite(.hangLimit) struct UndecidedChecksTests {
    private static let foreign = StoreFailure(
        .notFound, reason: "wrong_bundle", message: "The answer is about another app.")
    private static let settings = [
        "wrong_bundle": SuspectSetting(finding: "are about another app", advice: "bundle_id")
    ]
    private static let deferred =
        "select coalesce(sum(cardinality(subscription_keys)), 0) from subledger.deferred_checks"
    private static let booked = "select failures, count(*) from subledger.subscriptions group by 1 order by 1"
    private static let apps = "select state, reason from subledger.run_apps"

    /// Of which the first so many are answered, and the others are foreign.
    private static func store(answering count: Int = 0) -> ScriptedStore {
        ScriptedStore(suspecting: settings) { due, _ in
            Int(due.storeKey.reveal()) ?? 0 <= 1000 + count
                ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(foreign)
        }
    }

    /// A night whose chunks are all done, some of its checks deferred, and whose leader is gone.
    private static func workedOff(
        _ count: Int, asking store: ScriptedStore, in world: ChunkWorld
    ) async throws -> (run: Run, ledger: RunLedger) {
        try await world.register((1001...(1000 + count)).map(String.init))
        let night = try await world.plannedNight()
        try await world.host(of: night.run, asking: store.app).work()
        let open = "select count(*) from subledger.run_chunks where state <> 'done'"
        #expect(try await world.connection.lines(open) == ["0"])
        await night.ledger.leave(night.run, because: PipelineError(.failed, "the machine is gone"))
        return night
    }

    @Test func `the next leader finds the wrong setting, though no chunk is open, and asks nothing again`() async throws
    {
        try await ChunkWorld.with { world in
            _ = try await Self.workedOff(40, asking: Self.store(), in: world)
            #expect(try await world.connection.lines(Self.deferred) == ["40"])
            let store = Self.store()
            #expect(try await world.night(1, asking: store) == .failed)
            #expect(store.questions == [:])
            let app = try #require(try await world.connection.lines(Self.apps).first)
            #expect(app.hasPrefix("stopped|") && app.contains("40 of 40 answers are about another app"), "\(app)")
            #expect(try await world.connection.lines(Self.booked) == ["0|40"])
            #expect(try await world.connection.lines("select run_id, seal from subledger.runs") == ["1|1"])
        }
    }

    /// Ten of thirty were answered: the others are no nine in ten.
    @Test func `the next leader books what each of them seems to be, once`() async throws {
        try await ChunkWorld.with { world in
            _ = try await Self.workedOff(30, asking: Self.store(answering: 10), in: world)
            #expect(try await world.connection.lines(Self.deferred) == ["20"])
            let store = Self.store()
            #expect(try await world.night(1, asking: store) == .partial)
            #expect(store.questions == [:])
            #expect(try await world.connection.lines(Self.apps) == ["done|"])
            #expect(try await world.connection.lines(Self.booked) == ["0|10", "1|20"])
            #expect(try await world.connection.lines(Self.deferred) == ["0"])
        }
    }

    @Test func `a night is not sealed while checks of an app that goes on wait for a decision`() async throws {
        try await ChunkWorld.with { world in
            let night = try await Self.workedOff(20, asking: Self.store(), in: world)
            let refusal = await #expect(throws: PipelineError.self) { try await night.ledger.seal(night.run) }
            #expect(refusal?.message.contains("20 of its checks") == true)
            #expect(try await world.connection.lines("select seal from subledger.runs") == [""])
            try await night.ledger.stop(ChunkWorld.app, of: night.run, because: "The key is refused.")
            #expect(try await night.ledger.seal(night.run) == 1)
        }
    }

    /// The one that decides late suspects nothing of what it had counted.
    @Test func `once a host has found a wrong setting, none that counted before books anything`() async throws {
        try await ChunkWorld.with { world in
            let night = try await Self.workedOff(20, asking: Self.store(), in: world)
            let late = try await world.host(of: night.run, asking: ScriptedStore { _, _ in .failure(Self.foreign) }.app)
            let finding = try await world.host(of: night.run, asking: Self.store().app)
            try await finding.decide()
            #expect(await finding.stops.failures[ChunkWorld.app]?.cause == .wrongSetting)
            try await late.decide()
            #expect(try await world.connection.lines(Self.booked) == ["0|20"])
            #expect(try await world.connection.lines(Self.deferred) == ["20"])
        }
    }

    /// Killed in the middle of it, a leader leaves an app that goes on with all its chunks.
    @Test func `an app is stopped and its chunks are abandoned at once, or neither`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let night = try await world.plannedNight()
            try await world.connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as $refuse$
                begin
                    raise exception 'killed here';
                end $refuse$;
                create trigger refuse before update on subledger.run_apps
                    for each row execute function public.refuse()
                """)
            await #expect(throws: PostgresError.self) {
                try await night.ledger.stop(ChunkWorld.app, of: night.run, because: "The key is refused.")
            }
            #expect(try await world.connection.lines("select state from subledger.run_chunks") == ["pending"])
        }
    }
}
