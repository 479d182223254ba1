// SPDX-License-Identifier: Apache-2.0

import Model
import StoreSimulator
import TestSupport
import Testing

/// Apps are listened to and asked side by side: none waits for another one's pace, or silence.
@Suite(.serialized, .hangLimit) struct SideBySideTests {
    private static let server = SimulatorConfiguration.App.server(id: "acme-ios", bundleID: "com.acme.app")
    private static let receipts = SimulatorConfiguration.App.receipt(id: "acme-legacy", bundleID: "com.acme.old")

    /// Forty customers at one request in two seconds: the first app fills the night, and the second one is done.
    @Test func `a slow app starves no other`() async throws {
        try await NightWorld.with(seed: 71, customersPerApp: 40, apps: [Self.server, Self.receipts]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let before = try await world.backlog(of: "acme-ios", at: now)
            let changes = [
                ("requests_per_second: 40", "requests_per_second: 0.5"),
                ("nightly: {", "nightly: { finish_within: 30s,"),
            ]
            try await world.with(changes) {
                let night = try await world.runAgain(at: now, "--workers", "1")
                #expect(night.exitCode == 2, "\(night.standardError.suffix(2_000))")
                #expect(night.standardError.contains("acme-ios"))
                #expect(!night.standardError.contains("App acme-legacy"))
            }
            #expect(try await world.backlog(of: "acme-legacy", at: now).neverAnswered == 0)
            let slow = try await world.backlog(of: "acme-ios", at: now)
            // What was read before the time was over is booked.
            #expect(slow.neverAnswered > 0 && slow.neverAnswered < before.neverAnswered)
            let again = try await world.runAgain(at: now + .hours(1), "--no-reports")
            #expect(again.exitCode == 0, "\(again.standardError.suffix(2_000))")
        }
    }

    @Test func `an app whose store events never come holds nobody up`() async throws {
        let play = SimulatorConfiguration.App.play(
            id: "acme-android", packageName: "com.acme.app", publishes: true)
        try await NightWorld.with(seed: 72, customersPerApp: 5, apps: [play, Self.server, Self.receipts]) { world in
            let now = NightWorld.instant(of: 1)
            try await world.moveOn(to: now)
            let silent = try SilentServer()
            let changes = [
                ("pubsub_url: \(world.stores.baseURL)", "pubsub_url: http://127.0.0.1:\(silent.port)"),
                ("nightly: {", "nightly: { finish_within: 60s,"),
            ]
            try await world.with(changes) {
                let night = try await world.runAgain(at: now, "--no-reports")
                #expect(night.exitCode == 0, "\(night.standardError.suffix(2_000))")
                #expect(night.standardError.contains("could not be heard within 6 s"))
                #expect(!night.standardError.contains("more requests per second"))
            }
            for app in ["acme-android", "acme-ios", "acme-legacy"] {
                #expect(try await world.backlog(of: app, at: now).neverAnswered == 0)
            }
        }
    }
}
