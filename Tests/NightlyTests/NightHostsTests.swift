// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model
import Postgres
import Runs
import SQLCatalog
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Nightly

/// What is said of a night or an app is the run's, not a process's: what one host meets, all go by (RULINGS §8).
@Suite(.hangLimit) struct NightHostsTests {
    private static let refused = StoreFailure(.credential, reason: "http_401", message: "The key is refused.")
    private static let foreign = StoreFailure(
        .notFound, reason: "wrong_bundle", message: "The answer is about another app.")
    private static let settings = [
        "wrong_bundle": SuspectSetting(finding: "are about another app", advice: "bundle_id")
    ]
    private static let deferred = "select count(*) from subledger.deferred_checks"

    private static func answering() -> ScriptedStore {
        ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }
    }

    @Test func `what one host is refused, no other asks any more`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1030).map(String.init))
            let run = try await world.plannedNight().run
            let (first, second) = (ScriptedStore { _, _ in .failure(Self.refused) }, Self.answering())
            let app = second.app
            let hosts = (
                try await world.host(of: run, asking: first.app), try await world.host(of: run, asking: app)
            )
            try await hosts.0.work()
            await hosts.1.exchange.exchange()
            try await hosts.1.work()
            #expect(first.questions.count == 1 && second.questions == [:])
            #expect(await hosts.1.stops.failures == [ChunkWorld.app: Self.refused])
            // Nor what it is in the middle of.
            await #expect(throws: Self.refused) { try await app.client.sendNothing() }
        }
    }

    @Test func `what hosts spend of the retries is spent of one budget, and none waits twice for a store`() async throws
    {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            let app = Self.answering().app
            let host = try await world.host(of: run, asking: app)
            try await world.connection.script(
                """
                update subledger.run_apps set waited_ms = 4000;
                insert into subledger.run_hosts (run_id, host_name, app_id, machine, process_id, calls, retries, seen_at)
                values
                    (\(run.id), 'a', 'acme-ios', 'a', 1, 100, 7, now()), (\(run.id), 'b', 'acme-ios', 'b', 1, 50, 2, now())
                """)
            await host.exchange.exchange()
            await host.exchange.exchange()
            #expect(app.client.spent == ThrottledClient.Spent(calls: 150, retries: 9, waitedMilliseconds: 4_000))
            try await world.connection.script(
                """
                update subledger.run_apps set waited_ms = 6000;
                update subledger.run_hosts set retries = 8 where host_name = 'a'
                """)
            await host.exchange.exchange()
            #expect(app.client.spent == ThrottledClient.Spent(calls: 150, retries: 10, waitedMilliseconds: 6_000))
        }
    }

    /// Each second's note and the one before a decision go over sessions of their own.
    @Test func `a note that was overtaken by the next takes nothing back`() async throws {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            for (count, isAnswered) in [(20, true), (10, false)] as [(Int64, Bool)] {
                let counts = Array(repeating: PostgresValue.intArray([count]), count: 4)
                let answered = PostgresValue.textArray(isAnswered ? ["acme-ios"] : [])
                try await world.connection.execute(
                    SQL.Pipeline.noteHost,
                    [.int(run.id), .text("a"), .text("a"), .int(1), .textArray(["acme-ios"])] + counts + [answered])
            }
            let noted = "select calls, retries, chunks, checks, was_answered from subledger.run_hosts"
            #expect(try await world.connection.lines(noted) == ["20|20|20|20|true"])
        }
    }

    @Test func `that a store answered one host is known to all`() async throws {
        try await ChunkWorld.with { world in
            let run = try await world.plannedNight().run
            let app = Self.answering().app
            let host = try await world.host(of: run, asking: app)
            await host.exchange.exchange()
            #expect(!app.client.hasAnsweredWell)
            try await world.connection.script(
                """
                insert into subledger.run_hosts (run_id, host_name, app_id, machine, process_id, was_answered, seen_at)
                values (\(run.id), 'a', 'acme-ios', 'a', 1, true, now())
                """)
            await host.exchange.exchange()
            #expect(app.client.hasAnsweredWell)
        }
    }

    /// Ten of the thirty were answered: twenty are no nine in ten of them.
    @Test func `checks that one host has deferred are booked by another, once`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1030).map(String.init))
            let run = try await world.plannedNight().run
            let store = ScriptedStore(suspecting: Self.settings) { due, _ in
                due.storeKey.reveal() < "1011"
                    ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(Self.foreign)
            }
            let hosts = (
                try await world.host(of: run, asking: store.app), try await world.host(of: run, asking: store.app)
            )
            try await hosts.0.work()
            #expect(try await world.connection.lines(Self.deferred) != ["0"])
            try await hosts.1.decide()
            try await hosts.0.decide()
            #expect(try await world.connection.lines(Self.deferred) == ["0"])
            let booked = "select failures, count(*) from subledger.subscriptions group by 1 order by 1"
            #expect(try await world.connection.lines(booked) == ["0|10", "1|20"])
            let counted = "select sum((counts ->> 'unread')::bigint) from subledger.run_chunks"
            #expect(try await world.connection.lines(counted) == ["20"])
        }
    }

    @Test func `a setting is suspected for what all hosts were answered`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1040).map(String.init))
            let run = try await world.plannedNight().run
            let store = ScriptedStore(suspecting: Self.settings) { _, _ in .failure(Self.foreign) }
            let hosts = (
                try await world.host(of: run, asking: store.app), try await world.host(of: run, asking: store.app)
            )
            try await hosts.0.work()
            try await hosts.1.decide()
            await hosts.0.exchange.exchange()
            let failure = await hosts.0.stops.failures[ChunkWorld.app]
            #expect(failure?.reason == "wrong_setting")
            #expect(failure?.message.contains("40 of 40 answers are about another app") == true)
            let booked = "select count(*) from subledger.subscriptions where failures > 0"
            #expect(try await world.connection.lines(booked) == ["0"])
        }
    }

    @Test func `no host asks after the leader's time is over`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let run = try await world.plannedNight().run
            try await world.connection.script("update subledger.runs set finish_by = now() - interval '1 second'")
            let store = Self.answering()
            let late = try await world.host(of: run, asking: store.app)
            try await late.work()
            #expect(store.questions == [:])
            // Who leads it next has a time of its own.
            try await world.connection.script("update subledger.runs set finish_by = now() + interval '1 hour'")
            await late.exchange.exchange()
            try await late.work()
            #expect(store.questions.count == 1)
        }
    }

    @Test func `a host that leaves gives its chunks back`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let run = try await world.plannedNight().run
            let leaving = Mutex<Task<Void, any Error>?>(nil)
            let store = ScriptedStore { _, _ in
                leaving.withLock { $0?.cancel() }
                return .failure(Self.foreign)
            }
            let host = try await world.host(of: run, asking: store.app)
            let work = leaving.withLock { leaving in
                let work = Task { try await host.work() }
                leaving = work
                return work
            }
            await #expect(throws: CancellationError.self) { try await work.value }
            let chunks = "select state, leased_by, attempts from subledger.run_chunks"
            #expect(try await world.connection.lines(chunks) == ["pending||1"])
        }
    }
}

extension ThrottledClient {
    /// Of a client that was stopped: nothing is sent.
    fileprivate func sendNothing() async throws(StoreFailure) {
        _ = try await send(
            HTTPRequest(url: "https://127.0.0.1:1/", route: "/"), to: Endpoint(name: "things", publishedRate: 50),
            classify: { _ in .accept })
    }
}
