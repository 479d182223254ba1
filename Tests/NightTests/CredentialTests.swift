// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A wrong secret or key stops its app with what to do; the other app finishes, and nothing is booked as expired.
@Suite(.serialized, .timeLimit(.minutes(5))) struct CredentialTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test func aWrongSharedSecretStopsTheReceiptsAndTheOtherAppFinishes() async throws {
        try await NightWorld.with(seed: 11, customersPerApp: 40, apps: Self.apps) { world in
            try await world.night(1)
            let before = try await world.states(of: "acme-legacy")
            let secret = world.directory + "/store/shared-secret-acme-legacy"
            try "not-the-secret\n".write(toFile: secret, atomically: false, encoding: .utf8)
            let night = try await world.night(4, expecting: 2)
            let after = try await world.states(of: "acme-legacy")
            #expect(after == before)
            #expect(night.standardError.contains("acme-legacy") && night.standardError.contains("shared secret"))
            let checked = try await world.connection.lines(
                "select count(*) > 0 from subledger.subscriptions where app_id = 'acme-ios' and last_run_id = "
                    + "(select max(run_id) from subledger.runs where job = 'nightly')")
            #expect(checked == ["true"])
        }
    }

    @Test func aRefusedKeyStopsTheServerAppAndTheReceiptsFinish() async throws {
        try await NightWorld.with(seed: 12, customersPerApp: 40, apps: Self.apps) { world in
            try await world.night(1)
            let before = try await world.states(of: "acme-ios")
            world.stores.faults.plan(.unauthorized, times: 1_000, at: "statuses")
            let night = try await world.night(4, expecting: 2)
            let after = try await world.states(of: "acme-ios")
            #expect(after == before)
            #expect(night.standardError.contains("acme-ios") && night.standardError.contains("401"))
            world.stores.faults.clear()
            try await world.night(5)
        }
    }
}

extension NightWorld {
    /// State and end of every subscription that was answered before.
    fileprivate func states(of app: String) async throws -> [String] {
        try await connection.lines(
            """
            select subscription_key, state, end_reason, expires_at, last_checked_at from subledger.subscriptions
            where app_id = '\(app)' and last_checked_at is not null order by subscription_key
            """)
    }
}
