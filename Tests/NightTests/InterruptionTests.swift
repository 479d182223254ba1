// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Kill it anywhere and run it again: the tables are those of an unbroken run.
///
/// And two nights never run at once.
@Suite(.serialized, .hangLimit) struct InterruptionTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]
    private static let customers = 80
    private static let seed: UInt64 = 7

    /// Numbers drawn once: the answers and the rows at which a night dies are nothing special.
    private static let points: [KillPoint] = [
        .select, .token, .answer(1), .answer(13), .answer(23), .copiedRow(1), .copiedRow(7), .ledger, .beforeCommit,
        .afterCommit, .reportRename,
    ]

    @Test func `a night killed anywhere and run again ends in the tables of an unbroken one`() async throws {
        var unbroken: [String: String] = [:]
        try await NightWorld.with(seed: Self.seed, customersPerApp: Self.customers, apps: Self.apps) { world in
            for number in 1...3 { try await world.night(number) }
            unbroken = try await world.checksums()
        }
        for point in Self.points {
            try await NightWorld.with(seed: Self.seed, customersPerApp: Self.customers, apps: Self.apps) { world in
                for number in 1...2 { try await world.night(number) }
                try await world.kill(try await world.startNight(3, upTo: point), at: point)
                let between = try await world.checksums()
                try await Self.expectWholeIssuesOnly(world, point)
                let again = try await world.subledger("nightly", "--now", NightWorld.instant(of: 3).iso8601)
                #expect(again.exitCode == 0, "\(point): \(again.standardError)")
                let resumed = try await world.checksums()
                let differing = resumed.keys.filter { resumed[$0] != unbroken[$0] }.sorted()
                #expect(differing == [], "\(point): tables differ from those of an unbroken night")
                if case .reportRename = point { return }
                #expect(between != unbroken, "\(point): the kill came too late to prove anything")
            }
        }
    }

    /// A reader sees a whole report or none: every visible issue has the manifest that is written last.
    private static func expectWholeIssuesOnly(_ world: NightWorld, _ point: KillPoint) async throws {
        for issue in try FileManager.default.contentsOfDirectory(atPath: world.reports) where !issue.hasPrefix(".") {
            for file in ["manifest.json", "revenue.csv", "churn.csv", "report.html", "report.xlsx"] {
                let path = "\(world.reports)/\(issue)/\(file)"
                #expect(FileManager.default.fileExists(atPath: path), "\(point): \(issue) lacks \(file)")
            }
        }
    }

    @Test func `a second night during the first says who holds the run and exits 75`() async throws {
        try await NightWorld.with(seed: 8, customersPerApp: 20, apps: Self.apps) { world in
            try await world.night(1)
            let first = try await world.startNight(2, upTo: .ledger)
            let second = try await world.subledger("nightly", "--now", NightWorld.instant(of: 2).iso8601)
            #expect(second.exitCode == 75)
            #expect(second.standardError.contains("process \(first.processID) on "), "\(second.standardError)")
            try await world.connection.script(KillPoint.ledger.release ?? "")
            let result = await first.result()
            #expect(result.exitCode == 0, "\(result.standardError)")
        }
    }

    @Test func `a clock before the last sealed run is refused, and nothing is touched`() async throws {
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
