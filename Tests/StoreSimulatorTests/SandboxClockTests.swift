// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import StoreSimulator

/// Compressed clocks: the store's table, and that testers' subscriptions end by themselves.
@Suite struct SandboxClockTests {
    /// The store's published minutes for 1 week, 1, 2, 3 and 6 months and a year, by the minutes a month takes.
    private static let published: [Int64: [Int64]] = [
        3: [3, 3, 6, 9, 18, 36], 5: [3, 5, 10, 15, 30, 60], 15: [5, 15, 30, 45, 90, 180],
        30: [10, 30, 60, 90, 180, 360], 60: [15, 60, 120, 180, 360, 720],
    ]

    @Test func `terms take the published minutes`() {
        let terms: [Term] = [.weeks(1), .months(1), .months(2), .months(3), .months(6), .months(12)]
        #expect(SandboxClock().rate == .fiveMinutes && SandboxClock().renewals == 12)
        for rate in SandboxClock.Rate.allCases {
            let minutes = terms.map { SandboxClock(rate: rate).length(of: $0) / CivilTime.minute }
            #expect(minutes == Self.published[rate.rawValue], "\(rate)")
        }
    }

    @Test(arguments: [Int64(6), 12])
    func `the store renews so often, and then switches renewal off`(renewals: Int64) {
        let app = SimulatedApp.server(
            id: "acme-test", bundleID: "com.acme.app", environment: .sandbox,
            sandboxClock: SandboxClock(rate: .fiveMinutes, renewals: renewals))
        let now = instant("2026-01-05T02:15:00Z")
        let lives = AppStorePopulation.lives(
            seed: 5, customersPerApp: 10, apps: [app], span: .init(firstNight: now, horizon: now + 90 * CivilTime.day),
            scenarios: [AppStoreScenario(.fullPrice, .monthly, then: [])])
        for life in lives.flatMap(\.subscriptions) {
            #expect(Int64(life.periods.count) == renewals + 1)
            for period in life.periods { #expect(period.expiresAt - period.purchasedAt == 5 * CivilTime.minute) }
            for (old, new) in zip(life.periods, life.periods.dropFirst()) {
                #expect((0...20 * CivilTime.second).contains(new.purchasedAt - old.expiresAt))
            }
            let last = life.periods[life.periods.count - 1]
            #expect(last.ending == .expires(.voluntary))
            let status = life.status(at: last.expiresAt)
            #expect(status?.autoRenew == false && status?.state == .expired)
        }
    }

    @Test func `production never hurries`() {
        let app = SimulatedApp.server(id: "acme-ios", bundleID: "com.acme.app", sandboxClock: SandboxClock())
        #expect(app.sandboxClock == nil)
    }
}
