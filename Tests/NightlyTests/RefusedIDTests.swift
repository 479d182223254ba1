// SPDX-License-Identifier: Apache-2.0

import Model
import Runs
import Stores
import TestSupport
import Testing

/// An id that the store refuses with a word of its own is an answer of that store, and none to wait for for ever.
@Suite struct RefusedIDTests {
    private static let malformed = StoreFailure(
        .refusedForNow, reason: "status_21002", message: "Asking the store failed (status_21002).")
    private static let timedOut = StoreFailure(.transient, reason: "timed_out", message: "It took too long.")

    @Test func `one id among 25 good ones ends no night with 1, and is a dead letter on the third`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1026).map(String.init))
            let store = ScriptedStore { due, _ in
                due.storeKey.reveal() == "1026"
                    ? .failure(Self.malformed) : .success(.ended(Inquiry(subscriptions: [due])))
            }
            var outcomes: [String] = []
            for day in Int64(1)...3 { outcomes.append(try await world.night(day, asking: store).rawValue) }
            #expect(outcomes == ["done", "done", "partial"])
            #expect(try await world.letters() == ["-|status_21002|1|true"])
            #expect(try await world.nextCheck(of: "1026") == "10.0000000000000000|unreachable|unreachable")
            for day in Int64(4)...10 { #expect(try await world.night(day, asking: store) == .done) }
            #expect(store.questions["1026"] == 4)
            #expect(try await world.letters() == ["-|status_21002|1|true"])
        }
    }

    @Test func `the three nights need not follow each other, and a good answer begins the count again`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let failures = [Self.malformed, Self.timedOut, Self.malformed, nil, Self.malformed, Self.malformed]
            let store = ScriptedStore { due, number in
                guard number <= failures.count, let failure = failures[number - 1] else {
                    return .success(.running(due))
                }
                return .failure(failure)
            }
            for day in Int64(1)...6 { try await world.night(day, asking: store) }
            #expect(try await world.letters() == [])
            #expect(
                try await world.connection.lines("select refusals, state from subledger.subscriptions") == ["2|active"])
        }
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let failures = [Self.malformed, Self.timedOut, Self.malformed, Self.timedOut, Self.malformed]
            let store = ScriptedStore { _, number in .failure(failures[number - 1]) }
            for day in Int64(1)...4 { try await world.night(day, asking: store) }
            #expect(try await world.letters() == [])
            try await world.night(5, asking: store)
            #expect(try await world.letters() == ["-|status_21002|1|true"])
        }
    }

    @Test func `an answer that cannot be taken is an answer`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001", "1002"])
            let store = ScriptedStore { _, _ in .success(Reading(observations: [], archive: [])) }
            try await world.night(1, asking: store)
            #expect(try await world.night(2, asking: store) == .done)
        }
    }
}

extension Reading {
    fileprivate static func running(_ due: DueSubscription) -> Reading {
        let status = ObservedStatus(
            state: .active, productID: "monthly", autoRenew: true, expiresAt: ChunkWorld.march + .days(4),
            sourceVersion: ChunkWorld.march)
        return Reading(
            observations: [
                Observation(storeKey: due.storeKey, environment: .production, status: status, periods: [])
            ],
            archive: [])
    }
}
