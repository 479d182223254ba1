// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Kill it anywhere and run it again: the tables are those of an unbroken run. And two nights never run at once.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InterruptionTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test func aNightKilledInTheMiddleOfLoadAndRunAgainEndsInTheTablesOfAnUnbrokenOne() async throws {
        var unbroken: [String: String] = [:]
        try await NightWorld.with(seed: 7, customersPerApp: 80, apps: Self.apps) { world in
            for number in 1...3 { try await world.night(number) }
            unbroken = try await world.checksums()
        }
        try await NightWorld.with(seed: 7, customersPerApp: 80, apps: Self.apps) { world in
            for number in 1...2 { try await world.night(number) }
            let program = try await world.startHeldNight(3)
            kill(program.processID, SIGKILL)
            _ = await program.result()
            try await world.letGo(endingBackends: true)
            let between = try await world.checksums()
            let again = try await world.subledger("nightly", "--now", NightWorld.instant(of: 3).iso8601)
            #expect(again.exitCode == 0, "\(again.standardError)")
            let resumed = try await world.checksums()
            #expect(resumed == unbroken)
            #expect(between != unbroken, "the kill came too late to prove anything")
        }
    }

    @Test func aSecondNightDuringTheFirstSaysWhoHoldsTheRunAndExits75() async throws {
        try await NightWorld.with(seed: 8, customersPerApp: 20, apps: Self.apps) { world in
            try await world.night(1)
            let first = try await world.startHeldNight(2)
            let second = try await world.subledger("nightly", "--now", NightWorld.instant(of: 2).iso8601)
            #expect(second.exitCode == 75)
            #expect(second.standardError.contains("process \(first.processID) on "), "\(second.standardError)")
            try await world.letGo(endingBackends: false)
            let result = await first.result()
            #expect(result.exitCode == 0, "\(result.standardError)")
        }
    }

    @Test func aClockBeforeTheLastSealedRunIsRefusedAndNothingIsTouched() async throws {
        try await NightWorld.with(seed: 9, customersPerApp: 20, apps: Self.apps) { world in
            try await world.night(2)
            let before = try await world.checksums()
            let refused = try await world.subledger("nightly", "--now", NightWorld.instant(of: 1).iso8601)
            let after = try await world.checksums()
            #expect(refused.exitCode == 64)
            #expect(refused.standardError.contains("lies before the last sealed run"))
            #expect(after == before)
        }
    }
}

extension NightWorld {
    /// Starts a night that stops in the middle of its first load, at the money, until it is let go.
    func startHeldNight(_ number: Int) async throws -> RunningProgram {
        let now = Self.instant(of: number)
        stores.setClock(now.micros)
        try await register(from: Self.instant(of: number - 1), to: now)
        try await connection.script(
            """
            select pg_advisory_lock(4711);
            create function public.hold() returns trigger language plpgsql as
                'begin perform pg_advisory_xact_lock_shared(4711); return null; end';
            create trigger hold after insert on subledger.ledger_entries
                for each statement execute function public.hold();
            """)
        let arguments = ["nightly", "--now", now.iso8601, "--config", configuration]
        let program = try CommandLineRun(product: "subledger", arguments: arguments).start()
        for _ in 0..<600 {
            let waiting = try await connection.lines(
                "select pid from pg_locks where locktype = 'advisory' and not granted")
            if !waiting.isEmpty { return program }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw NightError("the night never came to its load")
    }

    func letGo(endingBackends: Bool) async throws {
        if endingBackends {
            try await connection.script(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                    + "where datname = current_database() and pid <> pg_backend_pid()")
        }
        try await connection.script(
            "select pg_advisory_unlock(4711); drop trigger hold on subledger.ledger_entries; drop function public.hold()"
        )
    }
}
