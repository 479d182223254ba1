// SPDX-License-Identifier: Apache-2.0

import StoreSimulator
import Testing

/// A year of some two hundred customers holds every case often enough, and a theme can be forced.
@Suite struct CensusTests {
    private static let firstNight = instant("2026-01-05T02:15:00Z")

    private static func customers(
        _ app: SimulatedApp, seed: UInt64, days: Int64, count: Int = 200, themes: [Theme]? = nil
    ) -> [CustomerLife] {
        Population.lives(
            seed: seed, customersPerApp: count, apps: [app],
            span: .init(firstNight: firstNight, horizon: firstNight + days * CivilTime.day), themes: themes)
    }

    @Test(arguments: [UInt64(1), 2, 3, 20_260_105])
    func aYearOfTwoHundredCustomersHoldsEveryCase(seed: UInt64) {
        for app in [Paper.app, Paper.receiptApp] {
            let census = Census.count(
                Self.customers(app, seed: seed, days: 365),
                in: Self.firstNight...Self.firstNight + 365 * CivilTime.day, of: app)
            #expect(census.count > 45)
            for (name, count) in census { #expect(count >= 3, "\(app.id): \(name): \(count)") }
        }
    }

    /// Whom only a notification tells of lives where there are notifications.
    @Test func strangersBuyWhereSomebodyIsTold() {
        let told = SimulatedApp.server(id: "acme-told", bundleID: "com.acme.told", hasNotificationURL: true)
        let strangers = { (app: SimulatedApp) in
            Self.customers(app, seed: 1, days: 365).filter(\.subscriptions.isEmpty)
        }
        #expect(strangers(told).count == 4 && strangers(Paper.app).isEmpty)
        let census = Census.count(
            strangers(told), in: Self.firstNight...Self.firstNight + 365 * CivilTime.day, of: told)
        #expect(census["sold once to somebody without a subscription"] == 4)
    }

    /// What can happen in one app and not in another is asked of that one alone.
    @Test func everyCaseIsForSomeApp() {
        let apps = [Paper.app, Paper.receiptApp, .server(id: "t", bundleID: "t", hasNotificationURL: true)]
        #expect(Census.all.allSatisfy { it in apps.contains { it.isFor($0) } })
        let counts = apps.map { Census.count([], in: 0...1, of: $0).count }
        #expect(counts[2] == counts[0] + 1 && Census.count([], in: 0...1).count == Census.all.count)
        #expect(Census.all.count == counts[2] + 4, "late receipts are four cases")
    }

    @Test func livesGoOnToTheHorizon() {
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

    @Test func aThemeIsForced() {
        let reversed = Self.customers(
            Paper.app, seed: 1, days: 105, count: 20, themes: [Theme(.fullPrice, .monthly, [.refundReversed])])
        for customer in reversed {
            let first = customer.subscriptions[0].periods[0]
            #expect(first.refund != nil && first.lastingRefund == nil && first.refundChanges.count == 1)
        }
    }

    /// Nothing is counted where nothing is: one life on paper that renews once.
    @Test func aPlainLifeCountsForNothing() {
        let census = Census.count(
            Paper.customers(Paper.life(Paper.january(), Paper.february())),
            in: instant("2026-01-01T00:00:00Z")...instant("2026-03-01T00:00:00Z"))
        #expect(census.values.allSatisfy { $0 == 0 })
    }
}
