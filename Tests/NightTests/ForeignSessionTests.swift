// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import StoreSimulator
import TestSupport
import Testing

/// Nights of a role that may not end what a dead leader has left on the server: they say whose it is and what to do, and go on, or end
/// with 75 where it locks what they need.
@Suite(.serialized, .hangLimit) struct ForeignSessionTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]
    /// The leader is of the role that owns the schema, its successor of one that owns nothing.
    private static let (leader, successor) = ("etl", "night")

    /// `pg_monitor` shows a session's beginning, and does not let it be ended.
    @Test(arguments: ["", "pg_monitor"])
    func `what another role's leader has locked in a load is waited for, then 75; the next start books it once`(
        membership: String
    ) async throws {
        let undisturbed = try await Self.undisturbed()
        try await Self.prepared { life in
            if !membership.isEmpty { try await life.administrator.script("grant \(membership) to \(Self.successor)") }
            let frozen = try await life.freezeLeader(at: .ledger)
            defer { kill(frozen.processID, SIGKILL) }
            let process = try await life.openTransaction()
            try await life.handOver()
            let blocked = try await life.night()
            #expect(blocked.exitCode == 75, "\(blocked.standardError)")
            life.expectRefusal(of: process, in: blocked)
            #expect(blocked.standardError.contains("no answer since"), "\(blocked.standardError)")
            #expect(try await life.world.connection.lines("select 1 from subledger.ledger_entries") == [])
            kill(frozen.processID, SIGKILL)
            _ = await frozen.result()
            try await life.waitForEnd(of: process)
            let again = try await life.night()
            #expect(again.exitCode == 0, "\(again.standardError)")
            try await life.expect(undisturbed)
        }
    }

    @Test func `what another role's leader has locked in its report is waited for, then 75; the next start reports`()
        async throws
    {
        try await Self.prepared { life in
            let frozen = try await life.freezeLeader(at: .report)
            defer { kill(frozen.processID, SIGKILL) }
            let process = try await life.openTransaction()
            try await life.handOver()
            let blocked = try await life.night()
            #expect(blocked.exitCode == 75, "\(blocked.standardError)")
            life.expectRefusal(of: process, in: blocked)
            #expect(!FileManager.default.fileExists(atPath: life.world.reports + "/latest"))
            kill(frozen.processID, SIGKILL)
            _ = await frozen.result()
            try await life.waitForEnd(of: process)
            let again = try await life.night()
            #expect(again.exitCode == 0, "\(again.standardError)")
            #expect(FileManager.default.fileExists(atPath: life.world.reports + "/latest/manifest.json"))
        }
    }

    @Test func `another role's leader that has nothing locked is named, and the night goes on beside its sessions`()
        async throws
    {
        let undisturbed = try await Self.undisturbed()
        try await Self.prepared { life in
            let frozen = try await life.freezeLeader(at: .answer(1))
            defer { kill(frozen.processID, SIGKILL) }
            try await life.moveOnToPause(frozen)
            let session = try await life.administrator.lines(Life.sessions)[0]
            try await life.handOver()
            let night = try await life.night()
            #expect(night.exitCode == 0, "\(night.standardError)")
            life.expectRefusal(of: session, in: night)
            try await life.expect(undisturbed)
            kill(frozen.processID, SIGCONT)
            let woken = await frozen.result()
            #expect(woken.exitCode == 75, "\(woken.standardError)")
            try await life.expect(undisturbed)
        }
    }

    // MARK: - A life

    private static func undisturbed() async throws -> [String: String] {
        var tables: [String: String] = [:]
        try await prepared { life in
            let night = try await life.night()
            #expect(night.exitCode == 0, "\(night.standardError)")
            tables = try await life.world.checksums()
        }
        return tables
    }

    /// The first night is due on a server with both roles; leases are short, and so is the patience with those who block.
    private static func prepared(_ body: (Life) async throws -> Void) async throws {
        try await NightWorld.onOwnServer(seed: 63, customersPerApp: 30, apps: apps) { world, administrator in
            try await world.moveOn(to: NightWorld.instant(of: 1))
            try await administrator.executeScript(SQL.Roles.roles)
            try await administrator.script("create role \(successor) login; grant subledger_night to \(successor)")
            let settings = [
                ("clock: simulated\n", "clock: simulated\nlease: 2s\n"), ("database:\n", "database:\n  watchdog: 1s\n"),
            ]
            try await world.with(settings) { try await body(Life(world: world, administrator: administrator)) }
        }
    }

    private struct Life {
        let world: NightWorld
        let administrator: PostgresConnection

        /// Those of the first leader of the first run, and those of them in a transaction.
        static let sessions =
            "select pid from pg_stat_activity where application_name ~ ' run [0-9]+[.]1$' order by pid"
        static let transactions =
            "select pid from pg_stat_activity where application_name ~ ' run [0-9]+[.]1$' and xact_start is not null"

        /// Starts the night, and stops its process there; nothing but what it has locked itself is in anybody's way.
        func freezeLeader(at point: KillPoint) async throws -> RunningProgram {
            let now = NightWorld.instant(of: 1)
            let program = try await world.start(["nightly", "--now", now.iso8601], upTo: point)
            kill(program.processID, SIGSTOP)
            // Others pass the place: its trigger waits for no lock any more.
            switch point {
            case .ledger: try await world.connection.script("select pg_advisory_unlock(4711)")
            case .report: try await world.connection.script("rollback")
            default: break
            }
            return program
        }

        /// Lets it go on until it is stopped with no transaction open: a single statement ends by itself.
        func moveOnToPause(_ program: RunningProgram) async throws {
            while program.isRunning {
                for _ in 0..<50 {
                    if try await administrator.lines(Self.transactions).isEmpty { return }
                    try await Task.sleep(for: .milliseconds(10))
                }
                kill(program.processID, SIGCONT)
                try await Task.sleep(for: .milliseconds(5))
                kill(program.processID, SIGSTOP)
            }
            throw NightError("the leader ended before it was stopped between two transactions")
        }

        /// The session whose transaction nobody ends.
        func openTransaction() async throws -> String {
            while true {
                let found = try await administrator.lines(Self.transactions + " and state = 'idle in transaction'")
                if let process = found.first { return process }
                try await Task.sleep(for: .milliseconds(20))
            }
        }

        /// From now on the program runs as that role, and the leader's lease is over.
        func handOver() async throws {
            let text = try String(contentsOfFile: world.configuration, encoding: .utf8)
            try text.replacing("//\(ForeignSessionTests.leader)@", with: "//\(ForeignSessionTests.successor)@")
                .write(toFile: world.configuration, atomically: true, encoding: .utf8)
            try await waitForDeadLease()
        }

        func waitForDeadLease() async throws {
            let alive = "select 1 from subledger.runs where outcome = 'running' and leased_until > clock_timestamp()"
            while try await !administrator.lines(alive).isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        }

        func night() async throws -> CommandLineRun.Result { try await world.runAgain(at: NightWorld.instant(of: 1)) }

        func waitForEnd(of process: String) async throws {
            let there = "select 1 from pg_stat_activity where pid = \(process)"
            while try await !administrator.lines(there).isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        }

        func expect(_ undisturbed: [String: String]) async throws {
            let tables = try await world.checksums()
            #expect(tables.keys.filter { tables[$0] != undisturbed[$0] }.sorted() == [])
        }

        /// It is said whose session it is, why it is there still, and what a person may do.
        func expectRefusal(of process: String, in night: CommandLineRun.Result) {
            let sentences = [
                "process \(process) of the server (\(ForeignSessionTests.leader)), of a ",
                "is not ended: this role may not",
                "select pg_terminate_backend(\(process))",
            ]
            for sentence in sentences {
                #expect(night.standardError.contains(sentence), "\(sentence): \(night.standardError)")
            }
        }
    }
}
