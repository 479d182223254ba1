// SPDX-License-Identifier: Apache-2.0

import StoreCoverage
import Testing

@testable import StoreSimulator

/// The lives: the same for the same seed, and every kind of them often enough.
@Suite struct PopulationTests {
    private static let firstNight = instant("2026-01-05T02:15:00Z")
    private static let horizon = firstNight + 75 * CivilTime.day

    private static func customers(seed: UInt64, app: SimulatedApp = Paper.app) -> [CustomerLife] {
        AppStorePopulation.lives(
            seed: seed, customersPerApp: 1_000, apps: [app],
            span: LifeSpan(firstNight: firstNight, horizon: horizon))
    }

    @Test func `the same seed gives the same lives`() {
        #expect(Self.customers(seed: 7) == Self.customers(seed: 7))
        #expect(Self.customers(seed: 7) != Self.customers(seed: 8))
    }

    @Test(arguments: [UInt64(1), 2, 20_260_105])
    func `every kind of life occurs while somebody reads`(seed: UInt64) {
        let customers = Self.customers(seed: seed)
        for feature in LifeFeature.all {
            let count = customers.count { feature.occurs(in: $0, Self.firstNight, Self.horizon) }
            #expect(count >= 3, "\(feature.name): \(count)")
        }
        let coverage = AppStoreCoverage.count(customers, in: Self.firstNight...Self.horizon, of: Paper.app)
        // A rare life is refunded in its fourth month, when nobody reads any more.
        let late = ["an item refunded and taken away", "all of several items refunded"]
        for (name, count) in coverage where !late.contains(name) { #expect(count >= 3, "\(name): \(count)") }
    }

    @Test func `every step is taken`() {
        let played = Self.customers(seed: 5).reduce(into: Set<AppStoreStep>()) { $0.formUnion($1.steps) }
        #expect(Set(AppStoreStep.allCases).subtracting(played).isEmpty)
    }

    @Test func `lives keep the rules of the store`() {
        for customer in Self.customers(seed: 3) {
            for life in customer.subscriptions {
                for (place, (old, new)) in zip(life.periods, life.periods.dropFirst()).enumerated() {
                    #expect(old.createdAt <= new.createdAt && old.purchasedAt < new.purchasedAt)
                    #expect(new.createdAt <= new.purchasedAt && new.purchasedAt < new.expiresAt)
                    // Of seats in several transactions once all of them were given back.
                    if let refund = life.takenBack(place, at: .max), refund.at < old.expiresAt {
                        #expect(new.reason == .purchase)
                    }
                    if case .expires = old.ending { #expect(new.reason == .purchase) }
                }
                for period in life.periods {
                    #expect(period.createdAt % 1_000_000 == 0 && period.expiresAt % 1_000_000 == 0)
                    #expect(period.refund.map { $0.at - period.purchasedAt <= 55 * CivilTime.day } ?? true)
                    #expect((15...16).contains(period.transactionID.count) && Int64(period.transactionID) != nil)
                }
            }
        }
    }

    @Test func `every identifier is unique`() {
        let periods = Self.customers(seed: 4).flatMap(\.subscriptions).flatMap(\.periods)
        #expect(periods.count > 3_000)
        #expect(Set(periods.map(\.transactionID)).count == periods.count)
        // Seats that were added may share the line item of those beside them.
        let apart = periods.filter { $0.seats?.isAddition != true && $0.seats?.joinedAt == nil }
        #expect(Set(apart.map(\.lineItemID)).count == apart.count)
    }

    /// Cases that hardly any customer shows come on top of the others and change nothing of theirs.
    @Test func `rare lives come on top`() {
        let span = LifeSpan(firstNight: Self.firstNight, horizon: Self.horizon)
        let apps = [Paper.app, Paper.receiptApp]
        func lives(_ count: Int, _ scenarios: [AppStoreScenario]?) -> [CustomerLife] {
            AppStorePopulation.lives(seed: 6, customersPerApp: count, apps: apps, span: span, scenarios: scenarios)
        }
        let (all, ordinary) = (lives(100, nil), lives(100, AppStoreScenarios.ordinary))
        #expect(ordinary.count == 200 && Array(all.prefix(200)) == ordinary && all.count > 220)
        #expect(lives(49, nil) == lives(49, AppStoreScenarios.ordinary))
        #expect(Set(all.map { $0.appID + $0.accountID }).count == all.count)
        let ids = all.flatMap(\.subscriptions).flatMap(\.periods).map(\.transactionID)
        #expect(Set(ids).count == ids.count)
    }
}
