// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Figures in the reporting currency over nights of the built program, at rates that make them easy to foresee.
@Suite(.hangLimit) struct ConvertedNightsTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]

    @Test func `rates that are imported later convert what was booked before, in every file`() async throws {
        try await NightWorld.with(
            seed: 43, customersPerApp: 120, apps: Self.apps, adapting: { $0.requestsPerSecond = 1_000 }
        ) { world in
            try await world.night(1)
            try ConvertedFigures(rates: ["USD": 1]).expect(world, night: 1)
            try await Self.importRates(["EUR": "0.5", "JPY": "0.25"], into: world, before: 2)
            try await world.night(2)
            try ConvertedFigures(rates: ["USD": 1, "EUR": 2, "JPY": 4]).expect(world, night: 2)
            try await Self.importRates(
                ["GBP": "0.2", "BRL": "0.125", "IDR": "1", "KRW": "0.01"], into: world, before: 3)
            try await world.night(3)
            let all: [String: Int64] = ["USD": 1, "EUR": 2, "JPY": 4, "GBP": 5, "BRL": 8, "IDR": 1, "KRW": 100]
            try ConvertedFigures(rates: all).expect(world, night: 3)
        }
    }

    /// Units of each currency for one dollar, since long ago.
    private static func importRates(_ rates: [String: String], into world: NightWorld, before night: Int) async throws {
        let file = world.directory + "/rates-\(night).csv"
        try (["date,currency,rate"] + rates.sorted { $0.key < $1.key }.map { "2020-01-01,\($0.key),\($0.value)" })
            .joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let result = try await world.subledger(
            "import", "fx", file, "--base", "USD", "--now", NightWorld.instant(of: night - 1).iso8601)
        try #require(result.exitCode == 0, "\(result.standardError)")
    }
}
