// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A night that is stopped in the middle of a chunk's load: what it locks keeps nobody from going on.
@Suite(.serialized, .hangLimit) struct FrozenLeaderTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    @Test func `the successor of a leader that is frozen in a load ends its sessions, and the night is whole`()
        async throws
    {
        var undisturbed: [String: String] = [:]
        try await Self.prepared { world, now in
            #expect(try await world.runAgain(at: now).exitCode == 0)
            undisturbed = try await world.checksums()
        }
        try await Self.prepared { world, now in
            let frozen = try await world.start(["nightly", "--now", now.iso8601], upTo: .ledger)
            kill(frozen.processID, SIGSTOP)
            defer { kill(frozen.processID, SIGKILL) }
            try await world.connection.script("select pg_advisory_unlock(4711)")
            let process = try await Self.openTransaction(in: world)
            let alive = "select 1 from subledger.runs where outcome = 'running' and leased_until > clock_timestamp()"
            while try await !world.connection.lines(alive).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
            let successor = try await world.runAgain(at: now)
            #expect(successor.exitCode == 0, "\(successor.standardError)")
            #expect(
                successor.standardError.contains("ended process \(process) of the server"),
                "\(successor.standardError)")
            let tables = try await world.checksums()
            #expect(tables.keys.filter { tables[$0] != undisturbed[$0] }.sorted() == [])
            kill(frozen.processID, SIGCONT)
            let woken = await frozen.result()
            #expect(woken.exitCode == 75, "\(woken.standardError)")
            #expect(try await world.checksums() == tables)
        }
    }

    /// Leases are short, and the first night is due.
    private static func prepared(_ body: (NightWorld, Instant) async throws -> Void) async throws {
        try await NightWorld.with(seed: 63, customersPerApp: 8, apps: apps) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            try await world.with([("clock: simulated\n", "clock: simulated\nlease: 2s\n")]) {
                try await body(world, now)
            }
        }
    }

    /// The session whose transaction nobody ends.
    private static func openTransaction(in world: NightWorld) async throws -> String {
        while true {
            let found = try await world.connection.lines(
                "select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction' "
                    + "and application_name ~ ' run [0-9]+[.]1$'")
            if let process = found.first { return process }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
