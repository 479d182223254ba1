// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Frozen reports, played: forty nights of both stores, then imports and links that change every estimate.
@Suite(.serialized, .longHangLimit) struct AsOfNightsTests {
    @Test func `E1: twelve past nights come out again byte for byte, whatever was imported since`() async throws {
        try await Self.play()
    }

    private static func play() async throws {
        try await NightWorld.with(
            seed: 20_260_110, customersPerApp: 40,
            apps: [
                .server(id: "acme-ios", bundleID: "com.acme.app"),
                .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
            ],
            adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            var kept: [IssuedNight] = []
            for number in 1...40 {
                try await world.night(number)
                if number % 3 == 2 || number == 40 { kept.append(try AsOfNights.keep(number, of: world)) }
            }
            #expect(kept.count >= 12)
            try await AsOfNights.learn(in: world, after: 40)
            try await world.night(41)
            // What was learned changes the newest report's past, or this proves nothing.
            let newest = try AsOfNights.keep(41, of: world)
            for table in ["revenue.csv", "mrr_bridge.csv"] {
                let before = try lines(table, of: kept.last)
                #expect(!before.isSubset(of: try lines(table, of: newest)), "\(table) did not change")
            }
            try await AsOfNights.expectSame(kept, in: world)
            try await expectARebuildToFindNothing(world)
        }
    }

    private static func lines(_ table: String, of night: IssuedNight?) throws -> Set<Substring> {
        let data = try #require(night?.files[table])
        return Set(String(decoding: data, as: UTF8.self).split(separator: "\n"))
    }

    /// The sums that forty-one nights kept are those that the whole history makes.
    private static func expectARebuildToFindNothing(_ world: NightWorld) async throws {
        let now = NightWorld.instant(of: 41).iso8601
        let result = try await world.subledger(
            "report", "--rebuild", "--now", now, "--verbose")
        #expect(result.exitCode == 0, "\(result.standardError.suffix(2_000))")
        #expect(!result.standardError.contains("were wrong"))
        let date = NightWorld.businessDate(of: 41)
        for table in ["revenue.csv", "recognised.csv", "mrr_bridge.csv", "subscribers.csv", "churn.csv", "at_risk.csv"]
        {
            let kept = try Data(contentsOf: URL(fileURLWithPath: "\(world.reports)/\(date)/\(table)"))
            let rebuilt = try Data(contentsOf: URL(fileURLWithPath: "\(result.folder)/\(table)"))
            #expect(kept == rebuilt, "\(table) differs from a rebuild")
        }
    }
}
