// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Intakes that die or stop beside a night: their purchases are pending again, nothing is booked twice, and no night waits for them.
@Suite(.serialized, .hangLimit) struct KilledIntakeTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]
    private static let now = NightWorld.instant(of: 5)

    /// A night that is caught while it plans, and purchases that wait.
    ///
    /// Afterwards the night is as if nothing had been; the next one asks about purchases that others replaced.
    private static func besideNight(
        seed: UInt64, _ body: (NightWorld, RunningProgram) async throws -> Void
    ) async throws {
        try await NightWorld.with(
            seed: seed, customersPerApp: 100, apps: apps, adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await world.night(1)
            world.stores.setClock(now.micros)
            let parts = try await world.purchases(since: NightWorld.instant(of: 1), until: now, parts: 8)
            try await world.register(parts[0], at: now)
            let night = try await world.start(["nightly", "--now", now.iso8601], upTo: .plan)
            try await world.handIn(parts.dropFirst().flatMap(\.self), at: now)
            try await body(world, night)
            try await world.night(6)
            try await world.expectTables(.disclosed, "after the intakes")
        }
    }

    private static func endOf(_ night: RunningProgram, in world: NightWorld) async throws {
        try await world.connection.script(KillPoint.plan.release ?? "")
        let ended = await night.result()
        #expect(ended.exitCode == 0, "\(ended.standardError.suffix(3_000))")
    }

    /// Purchases by state, with how often they were looked at, and what an intake has booked so far.
    private static func inbox(_ world: NightWorld) async throws -> [String] {
        try await world.connection.lines(
            """
            select distinct state, attempts,
                (select count(*) from subledger.transaction_versions where recorded_at > '\(now.iso8601)') as booked
            from subledger.purchase_inbox
            """)
    }

    /// What all purchases came to, and how often they were looked at.
    private static func assessed(_ world: NightWorld) async throws -> [String] {
        try await world.connection.lines("select distinct state, attempts from subledger.purchase_inbox")
    }

    /// An intake that is caught there, at a pace at which some purchases are unasked when the first is answered.
    private static func start(
        at now: Instant, upTo place: IntakePlace, in world: NightWorld
    ) async throws -> RunningProgram {
        var intake: RunningProgram?
        try await world.with([("requests_per_second: 1000", "requests_per_second: 5")]) {
            intake = try await world.startIntake(at: now, upTo: place)
        }
        return try #require(intake)
    }

    @Test func `an intake that is killed anywhere leaves its purchases to the next one, and nothing is doubled`()
        async throws
    {
        try await Self.besideNight(seed: 20_260_128) { world, night in
            for (minute, place) in IntakePlace.allCases.enumerated() {
                let now = Self.now + .minutes(Int64(minute + 1))
                try await world.kill(try await Self.start(at: now, upTo: place, in: world), at: place)
                #expect(try await Self.inbox(world) == ["pending|0|0"], "\(place)")
                try await world.letTheIntakesLeaseEnd()
            }
            let last = try await world.startIntake(at: Self.now + .minutes(9)).result()
            #expect(last.exitCode == 0, "\(last.standardError)")
            #expect(try await Self.assessed(world) == ["accepted|1"])
            try await Self.endOf(night, in: world)
        }
    }

    @Test func `what an intake wakes up to load after its lease is refused`() async throws {
        try await Self.besideNight(seed: 20_260_129) { world, night in
            let now = Self.now + .minutes(1)
            let frozen = try await Self.start(at: now, upTo: .answer, in: world)
            kill(frozen.processID, SIGSTOP)
            defer { if frozen.isRunning { kill(frozen.processID, SIGKILL) } }
            try await world.letTheIntakesLeaseEnd()
            let next = try await world.startIntake(at: now).result()
            #expect(next.exitCode == 0, "\(next.standardError)")
            #expect(try await Self.assessed(world) == ["accepted|1"])
            let tables = try await world.checksums()
            kill(frozen.processID, SIGCONT)
            let woken = await frozen.result()
            #expect(woken.exitCode == 75, "\(woken.standardError)")
            #expect(woken.standardError.contains("the lease on purchases of "), "\(woken.standardError)")
            let after = try await world.checksums()
            #expect(after.keys.filter { after[$0] != tables[$0] }.sorted() == [])
            try await Self.endOf(night, in: world)
        }
    }

    /// Its session is ended by the server after ten seconds, for it locks the run.
    @Test func `a night is sealed while an intake is stopped in its load, whose purchases are pending again`()
        async throws
    {
        try await Self.besideNight(seed: 20_260_130) { world, night in
            let now = Self.now + .minutes(1)
            let frozen = try await Self.start(at: now, upTo: .ledger, in: world)
            kill(frozen.processID, SIGSTOP)
            defer { if frozen.isRunning { kill(frozen.processID, SIGKILL) } }
            try await world.connection.script("select pg_advisory_unlock(4712)")
            try await Self.endOf(night, in: world)
            #expect(try await Self.inbox(world) == ["pending|0|0"])
            kill(frozen.processID, SIGCONT)
            // It begins again over another session, in a run of its own.
            let woken = await frozen.result()
            #expect(woken.exitCode == 0, "\(woken.standardError)")
            #expect(try await Self.assessed(world) == ["accepted|1"])
            #expect(try await world.ownRuns(ofIntakeAt: now).count == 1)
        }
    }
}
