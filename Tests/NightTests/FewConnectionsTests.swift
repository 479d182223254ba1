// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// Nights on a server that has few connections to give, or ends those that it gave.
@Suite(.serialized, .hangLimit) struct FewConnectionsTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app"),
    ]

    @Test func `a night whose sessions are ended one after the other comes to what an undisturbed one does`()
        async throws
    {
        let undisturbed = try await Self.firstNight { _, _ in 0 }
        let disturbed = try await Self.firstNight(Self.endSessions)
        #expect(disturbed.ended > 2)
        #expect(undisturbed.tables.keys.filter { undisturbed.tables[$0] != disturbed.tables[$0] }.sorted() == [])
    }

    private struct Night {
        let tables: [String: String]
        let ended: Int
    }

    /// `disturb` gives how many sessions it has ended while the night was at work.
    private static func firstNight(
        _ disturb: (NightWorld, RunningProgram) async throws -> Int
    ) async throws -> Night {
        var night: Night?
        try await NightWorld.with(seed: 61, customersPerApp: 60, apps: apps) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let program = try CommandLineRun(
                product: "subledger", arguments: ["nightly", "--now", now.iso8601, "--config", world.configuration]
            ).start()
            let ended = try await disturb(world, program)
            let result = await program.result()
            #expect(result.exitCode == 0, "\(result.standardError.suffix(3_000))")
            night = Night(tables: try await world.checksums(byContent: true), ended: ended)
        }
        return try #require(night)
    }

    /// One of the program's sessions every 300 ms, whatever it does, twelve times.
    private static func endSessions(_ world: NightWorld, _ program: RunningProgram) async throws -> Int {
        var (random, ended) = (FaultSeed(61), 0)
        for _ in 0..<12 where program.isRunning {
            try await Task.sleep(for: .milliseconds(300))
            let sessions = try await world.connection.lines(
                """
                select pid from pg_stat_activity
                where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
                order by backend_start, pid
                """)
            guard !sessions.isEmpty else { continue }
            try await world.connection.script("select pg_terminate_backend(\(random.of(sessions)))")
            ended += 1
        }
        return ended
    }

    /// Eight workers take ten; the eleventh is the test's own.
    @Test func `sixty apps and eight workers take ten connections, and a role that may have twelve has enough`()
        async throws
    {
        let apps = (1...60).map { SimulatedApp.receipt(id: "app-\($0)", bundleID: "com.acme.app\($0)") }
        try await NightWorld.onOwnServer(seed: 62, customersPerApp: 3, apps: apps) { world, administrator in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            try await administrator.script("alter role etl connection limit 12")
            let status = try await world.subledger("status", "--now", now.iso8601)
            let needed = "a night takes up to 4 (2 workers and 2 more), free now are"
            #expect(status.standardOutput.contains("\(needed) 11 of the role's 12"), "\(status.standardOutput)")
            let program = try CommandLineRun(
                product: "subledger",
                arguments: ["nightly", "--workers", "8", "--now", now.iso8601, "--config", world.configuration]
            ).start()
            let most = try await Self.mostSessions(of: program, administrator)
            let result = await program.result()
            #expect(result.exitCode == 0, "\(result.standardError.suffix(3_000))")
            #expect(!result.standardError.contains("connections"), "\(result.standardError)")
            #expect((2...11).contains(most), "\(most) sessions")
            #expect(
                try await world.connection.lines(
                    "select count(*) from subledger.subscriptions where next_check_at <= '\(now.iso8601)'") == ["0"])
        }
    }

    /// The most sessions that the role was seen to have, the test's own among them.
    private static func mostSessions(
        of program: RunningProgram, _ administrator: PostgresConnection
    ) async throws -> Int {
        var most = 0
        while program.isRunning {
            let now = try await administrator.lines("select count(*) from pg_stat_activity where usename = 'etl'")
            most = max(most, now.first.flatMap(Int.init) ?? 0)
            try await Task.sleep(for: .milliseconds(20))
        }
        return most
    }
}
