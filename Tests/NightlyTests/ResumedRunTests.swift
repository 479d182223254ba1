// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import Stores
import Synchronization
import TestSupport
import Testing

@testable import Nightly

/// What is said of a run's apps is the run's: a process that resumes it goes on from what the one before it knew (RULINGS §8).
@Suite(.hangLimit) struct ResumedRunTests {
    private static let foreign = StoreFailure(
        .notFound, reason: "wrong_bundle", message: "The answer is about another app.")
    private static let settings = [
        "wrong_bundle": SuspectSetting(finding: "are about another app", advice: "bundle_id")
    ]

    /// A night in chunks of ten, which one question may interrupt.
    private final class Night: Sendable {
        private let task = Mutex<Task<RunResult, any Error>?>(nil)
        private let asked = Mutex(0)

        /// The number of this question, of all processes.
        func ask() -> Int {
            asked.withLock { asked in
                asked += 1
                return asked
            }
        }

        func interrupt() { task.withLock { $0?.cancel() } }

        func run(_ app: StoreApp, in world: ChunkWorld) async throws -> RunResult {
            let running = task.withLock { task in
                let running = Task { try await ResumedRunTests.night(app, in: world) }
                task = running
                return running
            }
            return try await running.value
        }
    }

    private static func night(
        _ app: StoreApp, in world: ChunkWorld, listening: @escaping NightlyRun.Listening = { _, _, _ in [:] }
    ) async throws -> RunResult {
        var options = NightlyOptions(
            now: ChunkWorld.march + .days(1), reportDirectory: "", timeZone: .utc)
        (options.reports, options.chunkSize, options.workers) = (false, 10, 1)
        return try await NightlyRun(
            sessions: world.sessions, apps: [app], options: options, logger: world.log.logger,
            progress: ChunkWorld.Unwatched(), listening: listening
        ).run().result
    }

    private static func app(_ world: ChunkWorld) async throws -> [String] {
        try await world.connection.lines("select state, reason from subledger.run_apps")
    }

    /// Thirty of forty are asked by the first process, and the second one knows of them.
    @Test func `checks that a dead process had deferred count with those that follow`()
        async throws
    {
        try await ChunkWorld.with { world in
            try await world.register((1001...1040).map(String.init))
            let night = Night()
            let store = ScriptedStore(suspecting: Self.settings) { _, _ in
                if night.ask() == 31 { night.interrupt() }
                return .failure(Self.foreign)
            }
            await #expect(throws: (any Error).self) { try await night.run(store.app, in: world) }
            #expect(try await night.run(store.app, in: world).outcome == .failed)
            let app = try #require(try await Self.app(world).first)
            #expect(app.hasPrefix("stopped|") && app.contains("40 of 40 answers are about another app"), "\(app)")
            let booked = "select count(*) from subledger.subscriptions where failures > 0"
            #expect(try await world.connection.lines(booked) == ["0"])
            #expect(try await world.connection.lines("select count(*) from subledger.runs") == ["1"])
        }
    }

    /// Thirty of fifty were answered: twenty that are not are no nine in ten, whichever process asked.
    @Test func `what a dead process was answered counts`() async throws {
        try await ChunkWorld.with { world in
            try await world.register((1001...1050).map(String.init))
            let night = Night()
            let store = ScriptedStore(suspecting: Self.settings) { due, _ in
                let number = night.ask()
                if number == 31 { night.interrupt() }
                return number <= 30 ? .success(.ended(Inquiry(subscriptions: [due]))) : .failure(Self.foreign)
            }
            await #expect(throws: (any Error).self) { try await night.run(store.app, in: world) }
            #expect(try await night.run(store.app, in: world).outcome == .partial)
            #expect(try await Self.app(world) == ["done|"])
            let booked = "select count(*) from subledger.subscriptions where failures = 1"
            #expect(try await world.connection.lines(booked) == ["20"])
        }
    }

    @Test func `an app that a run has stopped stays stopped in it, and its reason is the first one`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { _, _ in .failure(Self.foreign) }
            await #expect(throws: (any Error).self) {
                try await Self.night(store.app, in: world) { _, _, _ in throw CancellationError() }
            }
            try await world.connection.script(
                """
                update subledger.run_apps set
                    failure = '{"kind": "credential", "reason": "http_401", "message": "The key is refused."}'
                """)
            let result = try await Self.night(store.app, in: world) { _, apps, _ in
                #expect(apps.isEmpty)
                return [:]
            }
            #expect(result.outcome == .failed && !result.mayPass)
            #expect(store.questions == [:])
            #expect(try await Self.app(world) == ["stopped|The key is refused."])
        }
    }

    @Test func `why an app stops is noted when it does`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let refused = StoreFailure(.credential, reason: "http_401", message: "The key is refused.")
            let store = ScriptedStore { _, _ in .failure(refused) }
            _ = try await Self.night(store.app, in: world)
            let noted = try await world.connection.lines(
                "select failure ->> 'kind', failure ->> 'reason', failure ->> 'message' from subledger.run_apps")
            #expect(noted == ["credential|http_401|The key is refused."])
        }
    }

    @Test func `what a dead process has spent is spent, and is noted once`() async throws {
        try await ChunkWorld.with { world in
            try await world.register(["1001"])
            let store = ScriptedStore { due, _ in .success(.ended(Inquiry(subscriptions: [due]))) }
            await #expect(throws: (any Error).self) {
                try await Self.night(store.app, in: world) { _, _, _ in throw CancellationError() }
            }
            try await world.connection.script(
                """
                update subledger.run_apps set waited_ms = 5000;
                insert into subledger.run_hosts (run_id, host_name, app_id, machine, process_id, calls, retries, seen_at)
                select run_id, 'dead', app_id, 'elsewhere', 1, 100, 7, now()
                from subledger.run_apps
                """)
            let app = store.app
            _ = try await Self.night(app, in: world)
            #expect(app.client.spent == ThrottledClient.Spent(calls: 100, retries: 7, waitedMilliseconds: 5_000))
            let noted = "select sum(calls), sum(retries) from subledger.run_hosts"
            #expect(try await world.connection.lines(noted) == ["100|7"])
            #expect(try await world.connection.lines("select waited_ms from subledger.run_apps") == ["5000"])
        }
    }
}
