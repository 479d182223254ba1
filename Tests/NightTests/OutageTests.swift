// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport
import Testing

/// Quotas and outages: slowed down where the store says so, and nothing booked where it says nothing.
@Suite(.serialized, .hangLimit) struct OutageTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"), .receipt(id: "acme-legacy", bundleID: "com.acme.old"),
    ]

    @Test func aNightOverTheQuotaWaitsAsLongAsItIsToldAndAsksEverything() async throws {
        try await NightWorld.with(seed: 31, customersPerApp: 50, apps: [Self.apps[0]]) { world in
            world.stores.quotas.setLimit(Quotas.Limit(requests: 20, seconds: 2))
            try await world.night(1)
            #expect(world.stores.quotas.counters.refused > 0)
            let unasked = try await world.connection.lines(
                "select count(*) from subledger.subscriptions where last_checked_at is null and failures > 0")
            #expect(unasked == ["0"])
        }
    }

    @Test func aNightOfVainChecksFailsHoweverFewTheyAre() async throws {
        try await NightWorld.with(seed: 32, customersPerApp: 4, apps: [Self.apps[0]]) { world in
            try await world.night(1)
            let ended = try await world.connection.lines("select count(*) from subledger.state_changes")
            world.stores.faults.plan(.emptyServerError, times: 1_000, at: "statuses")
            let night = try await world.night(20, expecting: 1)
            #expect(night.standardError.contains("acme-ios"))
            let after = try await world.connection.lines("select count(*) from subledger.state_changes")
            #expect(after == ended)
        }
    }

    /// One worker asks one app after the other, sixty customers at forty a second: a second is over in the first one.
    @Test func aNightThatIsOutOfTimeBeginsNothingMoreAndSaysWhatStaysDue() async throws {
        try await NightWorld.with(seed: 34, customersPerApp: 60, apps: Self.apps) { world in
            let whole = try String(contentsOfFile: world.configuration, encoding: .utf8)
            try (whole + "nightly: { finish_within: 1s }\n")
                .write(toFile: world.configuration, atomically: true, encoding: .utf8)
            let first = NightWorld.instant(of: 1)
            world.stores.setClock(first.micros)
            try await world.register(from: .distantPast, to: first)
            let late = try await world.subledger("nightly", "--now", first.iso8601, "--workers", "1")
            // 2; or 1 on a machine that was too slow to begin anything at all.
            #expect([1, 2].contains(late.exitCode))
            #expect(late.standardError.contains("nightly.finish_within is over"))
            let left = "select count(*) > 0 from subledger.subscriptions where last_checked_at is null"
            #expect(try await world.connection.lines(left) == ["true"])
            try whole.write(toFile: world.configuration, atomically: true, encoding: .utf8)
            try await world.night(2)
            #expect(try await world.connection.lines(left) == ["false"])
        }
    }

    @Test func aStoreThatIsDownStopsItsAppAndTheOtherFinishes() async throws {
        try await NightWorld.with(seed: 33, customersPerApp: 5, apps: Self.apps) { world in
            world.stores.faults.plan(.emptyServerError, times: 1_000, at: "statuses")
            let night = try await world.night(1, expecting: 2)
            #expect(night.standardError.contains("acme-ios"))
            let receipts = try await world.connection.lines(
                "select count(*) > 0 from subledger.transactions where app_id = 'acme-legacy'")
            #expect(receipts == ["true"])
        }
    }
}
