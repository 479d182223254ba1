// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Nightly

/// Which reasons of one host stop an app for all (RULINGS §8), and what becomes of a chunk that a host stops in the middle of.
@Suite(.hangLimit) struct StopsOfHostsTests {
    private static let late = StoreFailure(.storeDown, because: .outOfTime, message: "The time is over.")
    private static let down = StoreFailure(.storeDown, because: .storeDown, message: "The store does not answer.")
    private static let noted = "select failure ->> 'reason' from subledger.run_apps"
    private static let unasked = "select count(*) from subledger.subscriptions where last_run_id is null"
    private static let chunks =
        "select state, leased_by, cardinality(remaining_keys) from subledger.run_chunks order by chunk_no"

    private static func store() -> ScriptedStore {
        ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }
    }

    /// Answers five questions and fails so from then on.
    private static func store(failing failure: StoreFailure) -> ScriptedStore {
        let left = Mutex(5)
        return ScriptedStore { due, _ in
            let isAnswered = left.withLock { left in
                left -= 1
                return left >= 0
            }
            return isAnswered ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(failure)
        }
    }

    /// The leader's time and its lease, in seconds from now.
    private static func set(time: Int, lease: Int, in world: ChunkWorld) async throws {
        try await world.connection.script(
            """
            update subledger.runs set
                finish_by = now() + interval '\(time) seconds', leased_until = now() + interval '\(lease) seconds'
            """)
    }

    /// A host that was frozen, or has no leader, knows nothing of the time that the next leader has.
    @Test(arguments: [(time: 3600, lease: 60, reason: ""), (-1, -1, ""), (-1, 60, "out_of_time")])
    func `that the time is over stops an app for all only where a living leader's is`(
        _ now: (time: Int, lease: Int, reason: String)
    ) async throws {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            let host = try await world.host(of: run, asking: Self.store().app)
            try await Self.set(time: now.time, lease: now.lease, in: world)
            await host.stops.stop(ChunkWorld.app, because: Self.late)
            #expect(try await world.connection.lines(Self.noted) == [now.reason])
        }
    }

    /// One that waits alone may be without a network: it must not use up the hour that the run waits for its store.
    @Test(arguments: [(isLeading: false, waited: "0"), (true, "4000")])
    func `what a run has waited for a store is what its leader has`(_ given: (isLeading: Bool, waited: String))
        async throws
    {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            let app = Self.store().app
            let host = try await world.host(of: run, asking: app, isLeading: given.isLeading)
            app.client.learn(ThrottledClient.Spent(waitedMilliseconds: 4_000))
            await host.exchange.exchange()
            #expect(try await world.connection.lines("select waited_ms from subledger.run_apps") == [given.waited])
        }
    }

    @Test func `a host that was out of time goes on with the next leader's`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let run = try await world.plannedNight().run
            try await Self.set(time: -1, lease: -1, in: world)
            let store = Self.store()
            let host = try await world.host(of: run, asking: store.app)
            await host.stops.stop(ChunkWorld.app, because: Self.late)
            try await Self.set(time: 3600, lease: 60, in: world)
            await host.exchange.exchange()
            #expect(await host.stops.failures == [:])
            try await host.work()
            #expect(store.questions == ["1001": 1])
        }
    }

    @Test func `what the time of a dead leader had stopped goes on with the next one`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1020).map(String.init))
            let night = try await world.plannedNight()
            let late = Self.store(failing: Self.late).app
            try await world.host(of: night.run, asking: late, isLeading: true).work()
            #expect(try await world.connection.lines(Self.noted) == ["out_of_time"])
            await night.ledger.leave(night.run, because: PipelineError(.failed, "the machine is gone"))
            let store = Self.store()
            #expect(try await world.night(1, asking: store) == .done)
            #expect(store.questions.count == 15 && store.questions.values.allSatisfy { $0 == 1 })
            #expect(try await world.connection.lines("select state from subledger.run_apps") == ["done"])
            #expect(try await world.connection.lines(Self.unasked) == ["0"])
        }
    }

    /// Five of ten are answered: the others are asked by whoever goes on, those five no second time.
    @Test(arguments: [late, down])
    func `what a host leaves of a chunk is free at once, and no more than that is asked`(
        _ failure: StoreFailure
    ) async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1010).map(String.init))
            let run = try await world.plannedNight().run
            try await world.host(of: run, asking: Self.store(failing: failure).app).work()
            #expect(try await world.connection.lines(Self.chunks) == ["pending||5"])
            #expect(try await world.connection.lines(Self.noted) == [""])
            let store = Self.store()
            try await world.host(of: run, asking: store.app).work()
            #expect(store.questions.count == 5)
            #expect(try await world.connection.lines(Self.unasked) == ["0"])
            #expect(try await world.connection.lines(Self.chunks) == ["done||"])
        }
    }

    /// The other one knows nothing of it when it begins, and is stopped by what it learns a second later.
    @Test func `what a host leaves as it was refused is asked by none, though it has not learned why`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1010).map(String.init))
            let run = try await world.plannedNight().run
            let store = Self.store()
            let other = try await world.host(of: run, asking: store.app)
            let refused = StoreFailure(.credential, reason: "http_401", message: "The key is refused.")
            try await world.host(of: run, asking: Self.store(failing: refused).app).work()
            #expect(try await world.connection.lines(Self.chunks) == ["pending||5"])
            try await other.exchange.maintain { try await other.work() }
            #expect(store.questions == [:])
            #expect(await other.stops.failures == [ChunkWorld.app: refused])
        }
    }

    /// One that is refused for its key is the run's, and so is what the leader meets.
    @Test func `a store that is down for its leader is down for the night`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1010).map(String.init))
            let run = try await world.plannedNight().run
            try await world.host(of: run, asking: Self.store(failing: Self.down).app, isLeading: true).work()
            #expect(try await world.connection.lines(Self.noted) == ["store_down"])
        }
    }

    @Test func `a word of the store's is the run's, a silence that one host meets is not`() {
        let quota = StoreFailure(.storeDown, reason: "over_quota", message: "The quota is used up.")
        let noSlice = StoreFailure(.storeDown, because: .noSlice, message: "The database gives no share.")
        let refused = StoreFailure(.credential, reason: "http_401", message: "The key is refused.")
        #expect([Self.down, noSlice].map(\.isOfOneHost) == [true, true])
        #expect([quota, refused, Self.late].map(\.isOfOneHost) == [false, false, false])
    }

    @Test func `a reason that has passed when it is taken down stops nothing`() async {
        let stops = StoppedApps([AppID("b"): Self.late, AppID("c"): Self.down])
        await stops.stop(AppID("a"), because: Self.late, if: { false })
        await stops.resumeLate(except: [])
        #expect(await stops.failures == [AppID("c"): Self.down])
    }

    /// What it has not learned would be sealed as if it were not so.
    @Test func `a leader does not go by what it could not exchange at the end; who follows leaves it to its leader`()
        async throws
    {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            let leader = try await world.host(of: run, asking: Self.store().app, isLeading: true)
            let following = try await world.host(of: run, asking: Self.store().app)
            try await world.connection.script("alter table subledger.run_hosts rename to gone")
            await #expect(throws: PostgresError.self) { try await leader.exchange.maintain {} }
            try await following.exchange.maintain {}
        }
    }
}
