// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// One night, several hosts: a leader and two processes that work along, on one database.
@Suite(.serialized, .hangLimit) struct ManyHostsTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    /// The leader waits before it has planned the last app: the chunks of the others are the workers'.
    private static let hold = """
        select pg_advisory_lock(4711);
        create function public.hold() returns trigger language plpgsql as $hold$
        begin
            perform pg_advisory_xact_lock_shared(4711);
            return new;
        end $hold$;
        create trigger hold before insert on subledger.run_chunks
            for each row when (new.app_id = 'acme-android') execute function public.hold()
        """
    private static let release = """
        select pg_advisory_unlock(4711); drop trigger hold on subledger.run_chunks; drop function public.hold()
        """

    @Test func `a night of three hosts, one of which is killed, leaves the tables of one host`() async throws {
        var ofOneHost: [String: String] = [:]
        try await Self.prepared { world, now in
            #expect(try await world.runAgain(at: now).exitCode == 0)
            ofOneHost = try await world.checksums()
        }
        try await Self.prepared { world, now in
            let night = try await Self.start(world, now)
            let killed = try await Self.worker(of: night, in: world)
            kill(killed.processID, SIGKILL)
            _ = await killed.result()
            try await world.connection.script(Self.release)
            for program in [night.leader] + night.workers where program.processID != killed.processID {
                let result = await program.result()
                #expect(result.exitCode == 0, "\(result.standardError.suffix(2_000))")
            }
            let tables = try await world.checksums()
            #expect(tables.keys.filter { tables[$0] != ofOneHost[$0] }.sorted() == [])
            let claimedAgain = "select count(*) > 0 from subledger.run_chunks where attempts > 1 and state = 'done'"
            #expect(try await world.connection.lines(claimedAgain) == ["true"])
        }
    }

    @Test func `what one host is refused, the others do not ask any more`() async throws {
        try await Self.prepared { world, now in
            world.stores.faults.plan(.unauthorized, times: 10_000, at: "statuses")
            let night = try await Self.start(world, now)
            let refused = "select app_id from subledger.run_apps where failure ->> 'kind' = 'credential'"
            try await Self.wait(in: world, until: refused, is: ["acme-ios"])
            let open = "select count(*) from subledger.run_chunks where state = 'leased' and app_id = 'acme-ios'"
            try await Self.wait(in: world, until: open, is: ["0"])
            let asked = world.stores.quotas.counters.requests["statuses"]
            try await world.connection.script(Self.release)
            let result = await night.leader.result()
            #expect(result.exitCode == 2, "\(result.standardError.suffix(2_000))")
            #expect(result.standardError.contains("Another host of the run has found it."))
            #expect(world.stores.quotas.counters.requests["statuses"] == asked)
            for worker in night.workers { #expect(await worker.result().exitCode == 0) }
            let stopped = """
                select app_id, state from subledger.run_apps
                where run_id = (select max(run_id) from subledger.runs) order by app_id
                """
            #expect(
                try await world.connection.lines(stopped) == [
                    "acme-android|done", "acme-ios|stopped", "acme-legacy|done",
                ])
        }
    }

    private struct Night {
        let leader: RunningProgram
        let workers: [RunningProgram]
    }

    /// Leases are short, and the first night is due.
    private static func prepared(_ body: (NightWorld, Instant) async throws -> Void) async throws {
        try await NightWorld.with(seed: 91, customersPerApp: 60, apps: apps) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            try await world.with([("clock: simulated\n", "clock: simulated\nlease: 2s\n")]) {
                try await body(world, now)
            }
        }
    }

    private static func start(_ world: NightWorld, _ now: Instant) async throws -> Night {
        try await world.connection.script(hold)
        let common = ["--now", now.iso8601, "--config", world.configuration]
        let workers = try (1...2).map { _ in
            try CommandLineRun(product: "subledger", arguments: ["work", "--wait", "5m"] + common).start()
        }
        return Night(
            leader: try CommandLineRun(product: "subledger", arguments: ["nightly"] + common).start(), workers: workers)
    }

    /// One that is at a chunk.
    private static func worker(of night: Night, in world: NightWorld) async throws -> RunningProgram {
        while true {
            let leased = try await world.connection.lines(
                "select split_part(leased_by, ':', 2) from subledger.run_chunks where state = 'leased'")
            if let worker = night.workers.first(where: { leased.contains(String($0.processID)) }) { return worker }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    private static func wait(in world: NightWorld, until statement: String, is expected: [String]) async throws {
        while try await world.connection.lines(statement) != expected { try await Task.sleep(for: .milliseconds(10)) }
    }
}
