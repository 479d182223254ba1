// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// A wrong secret or key stops its app with what to do; the other app finishes, and nothing is booked as expired.
@Suite(.serialized, .hangLimit) struct CredentialTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    private static let bothStores: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .refreshToken),
    ]

    @Test func `B9: an invalid grant stops Play, the App Store finishes, and the report says so`() async throws {
        try await NightWorld.with(seed: 14, customersPerApp: 40, apps: Self.bothStores) { world in
            try await world.night(1)
            let before = try await world.states(of: "acme-android")
            world.stores.faults.plan(.invalidGrant, times: 1, at: "token")
            let night = try await world.night(4, expecting: 2)
            let after = try await world.states(of: "acme-android")
            #expect(after == before)
            for word in ["acme-android", "invalid_grant", "revoked", "six months", "testing", "clock"] {
                #expect(night.standardError.contains(word), "the message does not say \(word)")
            }
            let open = try await world.connection.lines(
                "select count(*) from subledger.subscriptions where app_id = 'acme-ios' "
                    + "and next_check_at <= '\(NightWorld.instant(of: 4).iso8601)'")
            #expect(open == ["0"])
            let page = try String(contentsOfFile: world.reports + "/latest/report.html", encoding: .utf8)
            #expect(page.contains("acme-android was stopped on the last night"))
            // Once put right, the next night asks what is still due.
            try await world.night(5)
        }
    }

    @Test func `B9: a token that is refused or fails once is renewed, and the night goes on`() async throws {
        try await NightWorld.with(seed: 15, customersPerApp: 40, apps: Self.bothStores) { world in
            world.stores.faults.plan(.emptyServerError, times: 1, at: "token")
            world.stores.faults.plan(.expiredToken, times: 1, at: "subscriptions")
            try await world.night(1)
            #expect(world.stores.quotas.counters.requests["token"] == 3)
        }
    }

    @Test func `B11: a missing permission stops Play with what to do`() async throws {
        try await NightWorld.with(seed: 16, customersPerApp: 40, apps: Self.bothStores) { world in
            world.stores.faults.plan(.permissionDenied, times: 500, at: "subscriptions")
            let night = try await world.night(1, expecting: 2)
            #expect(night.standardError.contains("acme-android") && night.standardError.contains("permission"))
        }
    }

    @Test func `B11: a wrong shared secret stops the receipts, and the other app finishes`() async throws {
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
            // A key that others can read is not used; the app it belongs to stops, and what it does not concern goes on.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret)
            let readable = try await world.night(5, expecting: 2)
            #expect(readable.standardError.contains("acme-legacy stops: "))
            #expect(readable.standardError.contains("can be read by others (mode 644); run chmod 600 on it"))
            let stopped = try await world.connection.lines(
                "select app_id, state, reason ~ 'chmod' from subledger.run_apps where run_id = "
                    + "(select max(run_id) from subledger.runs where job = 'nightly') order by app_id")
            #expect(stopped == ["acme-ios|done|", "acme-legacy|stopped|true"])
            try await world.night(6, "--app", "acme-ios")
            try await world.night(7, "--app", "acme-legacy", expecting: 64)
        }
    }

    @Test func `B11: a refused key stops the server app, and the receipts finish`() async throws {
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
