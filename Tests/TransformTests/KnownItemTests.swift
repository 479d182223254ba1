// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing
import Transform

/// A product added on day 10 to a running purchase: the store makes a new purchase of both, whose first order is the added
/// product's alone; the older one's order still pays for the other.
@Suite struct KnownItemTests {
    private let old = Secret("old-token")

    private var stored: [KnownPeriod] {
        TransformTests.rows(reading(observation([period(0, id: "T0")], of: old)), now: day(5), kind: .googlePlay)
            .transactions.map(KnownPeriod.init)
    }

    private func asked(known: [KnownPeriod] = []) -> DueSubscription {
        due(SubscriptionSnapshot(), known: known).inLineage(of: old, stored: stored)
    }

    @Test func `B7: what was added in a new purchase stays bought when its order alone is looked at again`() {
        let addOn = period(10, days: 20, id: "N0", product: "addon", price: 1_000_000)
        let items = [("monthly", "T0"), ("addon", "N0")].map {
            SubscriptionItem(productID: $0.0, expiresAt: day(30), autoRenew: true, latestTransactionID: $0.1)
        }
        let reported = Observation(
            storeKey: line, environment: .production, status: status(.active, expires: 30, version: day(11)),
            periods: [addOn], linkedTo: old, items: items)
        let first = TransformTests.rows(reading(reported), for: [asked()], now: day(11), kind: .googlePlay)
            .transactions.filter { $0.key == lineKey }
        #expect(first.map(\.kind) == [.purchase])
        // The refund watch: orders without the items.
        let again = TransformTests.rows(
            reading(observation([addOn])), for: [asked(known: first.map(KnownPeriod.init))], now: day(18),
            kind: .googlePlay)
        #expect(again.transactions.map(\.kind) == [.purchase])
    }
}
