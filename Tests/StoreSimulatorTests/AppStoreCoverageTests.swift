// SPDX-License-Identifier: Apache-2.0

import StoreCoverage
import Testing

@testable import StoreSimulator

/// A year of some two hundred customers holds every case often enough, and a scenario can be forced.
@Suite struct AppStoreCoverageTests {
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    private static func customers(
        _ app: SimulatedApp, seed: UInt64, days: Int64, count: Int = 200, scenarios: [AppStoreScenario]? = nil
    ) -> [CustomerLife] {
        AppStorePopulation.lives(
            seed: seed, customersPerApp: count, apps: [app],
            span: .init(firstNight: firstNight, horizon: firstNight + days * CivilTime.day), scenarios: scenarios)
    }

    @Test(arguments: [UInt64(1), 2, 3, 20_260_105])
    func `a year of two hundred customers holds every case`(seed: UInt64) {
        for app in [Paper.app, Paper.receiptApp] {
            let coverage = AppStoreCoverage.count(
                Self.customers(app, seed: seed, days: 365),
                in: Self.firstNight...Self.firstNight + 365 * CivilTime.day, of: app)
            #expect(coverage.count > 45)
            for (name, count) in coverage { #expect(count >= 3, "\(app.id): \(name): \(count)") }
        }
    }

    /// Whom only a notification tells of lives where there are notifications.
    @Test func `strangers buy where somebody is told`() {
        let told = SimulatedApp.server(id: "acme-told", bundleID: "com.acme.told", hasNotificationURL: true)
        let strangers = { (app: SimulatedApp) in
            Self.customers(app, seed: 1, days: 365).filter(\.subscriptions.isEmpty)
        }
        #expect(strangers(told).count == 4 && strangers(Paper.app).isEmpty)
        let coverage = AppStoreCoverage.count(
            strangers(told), in: Self.firstNight...Self.firstNight + 365 * CivilTime.day, of: told)
        #expect(coverage["sold once to somebody without a subscription"] == 4)
    }

    /// What can happen in one app and not in another is asked of that one alone.
    @Test func `every case is for some app`() {
        let apps = [Paper.app, Paper.receiptApp, .server(id: "t", bundleID: "t", hasNotificationURL: true)]
        #expect(AppStoreCoverage.all.allSatisfy { it in apps.contains { it.isFor($0) } })
        let counts = apps.map { AppStoreCoverage.count([], in: 0...1, of: $0).count }
        #expect(counts[2] == counts[0] + 1 && AppStoreCoverage.count([], in: 0...1).count == AppStoreCoverage.all.count)
        #expect(AppStoreCoverage.all.count == counts[2] + 4, "late receipts are four cases")
    }

    @Test func `lives go on to the horizon`() {
        let customers = Self.customers(Paper.app, seed: 1, days: 400)
        let last = Self.firstNight + 399 * CivilTime.day
        let running = customers.count { customer in
            customer.subscriptions.contains { ($0.periods.last?.expiresAt ?? 0) > last }
        }
        #expect(running > 60)
        let begun = customers.count {
            ($0.subscriptions[0].periods[0].createdAt - Self.firstNight) > 200 * CivilTime.day
        }
        #expect(begun > 5)
    }

    @Test func `a scenario is forced`() {
        let reversed = Self.customers(
            Paper.app, seed: 1, days: 105, count: 20,
            scenarios: [AppStoreScenario(.fullPrice, .monthly, then: [.refundReversed])])
        for customer in reversed {
            let first = customer.subscriptions[0].periods[0]
            #expect(first.refund != nil && first.lastingRefund == nil && first.refundChanges.count == 1)
        }
    }

    /// Nothing is counted where nothing is: one life on paper that renews once.
    @Test func `a plain life counts for nothing`() {
        let coverage = AppStoreCoverage.count(
            Paper.customers(Paper.life(Paper.january(), Paper.february())),
            in: instant("2026-01-01T00:00:00Z")...instant("2026-03-01T00:00:00Z"))
        #expect(coverage.values.allSatisfy { $0 == 0 })
    }
}
