// SPDX-License-Identifier: Apache-2.0

import Model
import Runs
import Stores
import TestSupport
import Testing

/// Which apps a night has finished, and what it ends with where it finished none (RULINGS §8).
@Suite struct FinishedAppTests {
    private static let timedOut = StoreFailure(.transient, reason: "timed_out", message: "It took too long.")
    private static let down = StoreFailure(.storeDown, reason: "store_down", message: "The app stops for tonight.")
    private static let refused = StoreFailure(.credential, reason: "http_401", message: "The key is refused.")

    /// Whether the same night again may come through: a store that is down comes back, a refused key does not.
    @Test(arguments: [(timedOut, true), (down, true), (refused, false)] as [(StoreFailure, Bool)])
    func `an app that got no answer at all has not finished`(failure: StoreFailure, mayPass: Bool) async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001", "1002"])
            let store = ScriptedStore { _, _ in .failure(failure) }
            let result = try await world.result(of: 1, asking: store)
            #expect(result.outcome == .failed && result.mayPass == mayPass)
            #expect(try await Self.apps(world) == ["stopped|false"])
        }
    }

    @Test func `an app whose store went down after it had answered has finished, late`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1030).map(String.init))
            let store = ScriptedStore { due, _ in
                due.storeKey.reveal() < "1011"
                    ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(Self.down)
            }
            try await world.connection.script(
                """
                update subledger.subscriptions
                set expires_at = case when store_key < '1011' then date '2026-03-01' else '2026-04-01' end
                """)
            #expect(try await world.night(1, asking: store) == .partial)
            #expect(try await Self.apps(world) == ["stopped|true"])
        }
    }

    /// Whatever became of its pull, but for a refused credential.
    @Test(arguments: [(nil, .done), (down, .done), (refused, .failed)] as [(StoreFailure?, Run.Outcome)])
    func `an app of which no check was due has finished`(pull: StoreFailure?, outcome: Run.Outcome) async throws {
        try await ChunkWorld.with { world in
            let store = ScriptedStore { _, _ in .failure(Self.timedOut) }
            let result = try await world.result(of: 1, asking: store, pull: pull)
            #expect(result.outcome == outcome && !result.mayPass)
        }
    }

    @Test func `of several apps one that finished makes the night partial, whatever stopped the others`() {
        #expect(RunResult(unfinished: [Self.down], of: 2).outcome == .partial)
        #expect(RunResult(unfinished: [Self.refused, Self.down], of: 2).outcome == .failed)
        #expect(!RunResult(unfinished: [Self.refused, Self.down], of: 2).mayPass)
        #expect(RunResult(unfinished: [Self.down, Self.down], of: 2).mayPass)
        #expect(RunResult(unfinished: [], of: 2, isClean: false).outcome == .partial)
    }

    private static func apps(_ world: ChunkWorld) async throws -> [String] {
        try await world.connection.lines("select state, is_late from subledger.run_apps order by run_id, app_id")
    }
}
