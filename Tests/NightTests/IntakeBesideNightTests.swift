// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// An intake every minute through nights that are caught at each of their places, killed there, resumed and sealed, with junk among its
/// purchases: what is handed in is known at once, and reports come out again as of every issue.
@Suite(.serialized, .longHangLimit) struct IntakeBesideNightTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]
    private static let asking: [KillPoint] = [.plan, .claim, .answer(3)]
    private static let loading: [KillPoint] = [.copiedRow(2), .ledger, .beforeCommit, .afterCommit]
    private static let places = asking + loading

    @Test func `nights with an intake every minute come to the stores' books, and each issue comes out again`()
        async throws
    {
        try await Self.with(seed: 20_260_125) { world in
            var accepted = 0
            for (offset, place) in Self.places.enumerated() {
                let isLoading = offset >= Self.asking.count
                accepted += try await Self.play(offset + 2, caughtAt: place, isLoading: isLoading, in: world)
            }
            #expect(accepted > 3 * Self.places.count, "too little was bought to prove anything")
            try await AsOfNights.expectEveryIssueAgain(in: world, atLeast: Self.places.count + 1)
        }
    }

    @Test(arguments: [true, false])
    func `an intake that meets the seal books under the night where that is killed, else in a run of its own`(
        isKilled: Bool
    ) async throws {
        try await Self.with(seed: 20_260_126) { world in
            let now = Self.instant(of: 2)
            let parts = try await Self.begin(2, in: world)
            let night = try await world.start(["nightly", "--now", now.iso8601], upTo: .seal)
            let run = try await world.lastNight()
            try await Self.handIn(parts[1] + parts[2] + parts[3], at: now + .minutes(1), in: world)
            let intake = try world.startIntake(at: now + .minutes(1))
            while try await world.waiting() < 2, intake.isRunning {
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(intake.isRunning, "it waits for the seal: \(intake.errorsSoFar)")
            if isKilled {
                try await world.kill(night, at: .seal)
            } else {
                try await world.connection.script(KillPoint.seal.release ?? "")
                let sealed = await night.result()
                #expect(sealed.exitCode == 0, "\(sealed.standardError)")
            }
            let ended = await intake.result()
            #expect(ended.exitCode == 0, "\(ended.standardError)")
            let own = try await world.ownRuns(ofIntakeAt: now + .minutes(1))
            #expect(own.count == (isKilled ? 0 : 1))
            let under = own.first?.split(separator: "|").first.map(String.init) ?? run
            #expect(try await world.expectAssessed(at: now + .minutes(1), under: under, "at the seal") > 3)
            if isKilled { try await Self.resume(2, in: world) }
            try await world.night(5)
            try await world.expectTables(.disclosed, "an intake at the seal")
            try await AsOfNights.expectEveryIssueAgain(in: world, atLeast: 2)
        }
    }

    @Test(arguments: [true, false])
    func `a sealed night that writes its reports, killed there or not, has an intake open a run of its own`(
        isKilled: Bool
    ) async throws {
        try await Self.with(seed: 20_260_127) { world in
            let now = Self.instant(of: 2)
            let parts = try await Self.begin(2, in: world)
            let night = try await world.start(["nightly", "--now", now.iso8601], upTo: .reportRename)
            kill(night.processID, SIGSTOP)
            let run = try await world.lastNight()
            let purchases = parts[1] + parts[2] + parts[3]
            let accepted = try await Self.assess(
                purchases, at: now + .minutes(1), under: nil, "its report is written", in: world)
            #expect(accepted > 3)
            if isKilled {
                try await world.kill(night, at: .reportRename)
                try await Self.resume(2, in: world)
            } else {
                kill(night.processID, SIGCONT)
                let ended = await night.result()
                #expect(ended.exitCode == 0, "\(ended.standardError)")
                #expect(try await world.lastNight() == run)
            }
            // It asks about purchases that others replaced.
            try await world.night(5)
            try await world.expectTables(.disclosed, "an intake beside a report")
            try await AsOfNights.expectEveryIssueAgain(in: world, atLeast: 3)
        }
    }

    // MARK: - A life

    /// A night in three: then more is bought between them.
    private static func instant(of number: Int) -> Instant { NightWorld.instant(of: 3 * number - 2) }

    private static func with(seed: UInt64, _ body: (NightWorld) async throws -> Void) async throws {
        try await NightWorld.with(
            seed: seed, customersPerApp: 150, apps: apps, adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await world.night(1)
            try await body(world)
        }
    }

    /// The clock moves on to a night; a part of what was bought is imported, and the others wait to be handed in.
    private static func begin(_ number: Int, new: Bool = false, in world: NightWorld) async throws -> [[Registration]] {
        let now = instant(of: number)
        world.stores.setClock(now.micros)
        let parts = try await world.purchases(since: instant(of: number - 1), until: now, parts: 4, new: new)
        try await world.register(parts[0], at: now)
        return parts
    }

    private static func handIn(_ purchases: [Registration], at now: Instant, in world: NightWorld) async throws {
        try await world.handIn(purchases, at: now)
        try await world.handInJunk(at: now)
    }

    /// A night that is caught there and killed: two intakes beside it, and a third one beside the run that it leaves.
    private static func play(
        _ number: Int, caughtAt place: KillPoint, isLoading: Bool, in world: NightWorld
    ) async throws -> Int {
        let now = instant(of: number)
        let parts = try await begin(number, new: isLoading, in: world)
        let night = try await world.start(["nightly", "--now", now.iso8601], upTo: place)
        // One that nothing holds there would go on.
        if place.hold == nil { kill(night.processID, SIGSTOP) }
        let run = try await world.lastNight()
        var accepted = 0
        for minute in 1...2 {
            accepted += try await assess(
                parts[minute], at: now + .minutes(Int64(minute)), under: run, "\(place)", in: world)
        }
        try await world.kill(night, at: place)
        accepted += try await assess(parts[3], at: now + .minutes(3), under: run, "\(place), killed", in: world)
        try await resume(number, in: world)
        #expect(try await world.lastNight() == run, "\(place): another run was opened")
        try await world.expectTables(.disclosed, "night \(number), caught at \(place)")
        return accepted
    }

    /// One intake, under that run or else its own.
    ///
    /// Returns how many purchases it accepted.
    private static func assess(
        _ purchases: [Registration], at now: Instant, under run: String?, _ when: String, in world: NightWorld
    ) async throws -> Int {
        try await handIn(purchases, at: now, in: world)
        let intake = try await world.startIntake(at: now).result()
        #expect(intake.exitCode == 0, "\(when): \(intake.standardError.suffix(2_000))")
        let own = try await world.ownRuns(ofIntakeAt: now)
        #expect(own.count == (run == nil ? 1 : 0), "\(when): \(own)")
        let under = try #require(run ?? own.first?.split(separator: "|").first.map(String.init))
        return try await world.expectAssessed(at: now, under: under, when)
    }

    /// The next start, twenty minutes later.
    private static func resume(_ number: Int, in world: NightWorld) async throws {
        let again = try await world.runAgain(at: instant(of: number) + .minutes(20))
        #expect(again.exitCode == 0, "night \(number): \(again.standardError.suffix(3_000))")
    }
}
