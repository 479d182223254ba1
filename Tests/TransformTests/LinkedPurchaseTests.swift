// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing
import Transform

/// Purchases that continue an earlier one under a key of their own, as Google Play sells upgrades and top-ups.
@Suite struct LinkedPurchaseTests {
    private let old = Secret("old-token")
    private let oldest = Secret("oldest-token")

    /// The new purchase with its periods, and the older one as far as the store reported it.
    private func rows(
        _ periods: [ObservedPeriod], after earlier: [ObservedPeriod]?, known: [KnownPeriod] = [],
        lineage: Secret? = nil, stored: [KnownPeriod] = []
    ) -> ChunkRows {
        let now = day(90)
        let items = periods.suffix(1).map {
            SubscriptionItem(
                productID: $0.productID, expiresAt: day(120), autoRenew: true, latestTransactionID: $0.transactionID)
        }
        let reported = Observation(
            storeKey: line, environment: .production, status: status(.active, expires: 120, version: now),
            periods: periods, linkedTo: old, items: items)
        var observations = [reported]
        if let earlier { observations.append(observation(earlier, of: old)) }
        var asked = due(SubscriptionSnapshot(), known: known)
        if let lineage { asked = asked.inLineage(of: lineage, stored: stored) }
        return TransformTests.rows(
            Reading(observations: observations, archive: []), for: [asked], now: now, kind: .googlePlay)
    }

    private func kinds(_ rows: ChunkRows, of key: SubscriptionKey = lineKey) -> [TransactionKind] {
        rows.transactions.filter { $0.key == key }.map(\.kind)
    }

    private var oldKey: SubscriptionKey { SubscriptionKey(appID: app, storeKey: old.reveal()) }

    @Test
    func `B7: a dearer product on a new token is an upgrade; the link is a row, the older purchase is registered`() {
        let rows = rows(
            [period(10, id: "N0", product: "pro", price: 19_990_000)], after: [period(0, id: "O0", upgraded: true)])
        #expect(kinds(rows) == [.upgrade])
        #expect(kinds(rows, of: oldKey) == [.purchase])
        #expect(rows.links == [LineageLink(key: lineKey, earlier: oldKey)])
        #expect(rows.discoveries.map(\.key) == [oldKey])
        #expect(rows.transactions.first { $0.key == oldKey }?.isSeenIndirectly == true)
    }

    @Test func `B7: signed up again before the end: a renewal; months after it: a resubscription`() {
        #expect(kinds(rows([period(20, id: "N0")], after: [period(0, id: "O0", upgraded: true)])) == [.renewal])
        #expect(kinds(rows([period(80, id: "N0")], after: [period(0, id: "O0")])) == [.resubscribe])
    }

    @Test func `paid after a trial on the older token: the first purchase of the line, and the trial's conversion`() {
        let rows = rows([period(5, id: "N0", product: "pro")], after: [trial(0)])
        #expect(rows.transactions.filter { $0.key == lineKey }.map(\.isTrialConversion) == [true])
        #expect(kinds(rows) == [.purchase])
    }

    /// Two months of a bundle, and then what it included is bought by itself: under an id that names the included one.
    @Test func `B7: the first purchase paid after a bundle is a purchase, and its free trial is one`() {
        let bundled = [included(0), included(30)]
        let first = rows([period(60, id: "N0")], after: bundled)
        #expect(kinds(first) == [.purchase])
        #expect(kinds(first, of: oldKey) == [.purchase, .renewal])
        let stored = first.transactions.filter { $0.key == oldKey }.map(KnownPeriod.init)
        #expect(kinds(rows([period(60, id: "N0")], after: nil, lineage: old, stored: stored)) == [.purchase])
        let free = period(60, id: "N0", free: true)
        for rows in [rows([free], after: bundled), rows([free], after: nil, lineage: old, stored: stored)] {
            #expect(kinds(rows) == [.trial])
            #expect(rows.subscriptions.first { $0.key == lineKey }?.snapshot.state == .trial)
        }
        let converted = rows([free, period(90, id: "N1")], after: nil, lineage: old, stored: stored)
        #expect(kinds(converted) == [.trial, .purchase])
        #expect(converted.transactions.filter { $0.key == lineKey }.map(\.isTrialConversion) == [false, true])
    }

    @Test func `a period placed behind an older purchase retains its place when that one is not reported again`() {
        let first = rows([period(10, id: "N0", product: "pro", price: 19_990_000)], after: [period(0, id: "O0")])
        let known = first.transactions.filter { $0.key == lineKey }.map(KnownPeriod.init)
        let again = rows(
            [
                period(10, id: "N0", product: "pro", price: 19_990_000),
                period(40, id: "N1", product: "pro", price: 19_990_000),
            ], after: nil, known: known, lineage: old)
        #expect(kinds(again) == [.upgrade, .renewal])
        #expect(again.links.isEmpty)
        #expect(again.discoveries.isEmpty)
    }

    /// Its first sight was in its successor's answer, when the store had forgotten the one before it: a purchase, it seemed.
    @Test
    func `B7: a purchase is placed behind the older one we have stored, also when the store has forgotten that one`() {
        let alone = rows([period(0, id: "O0", price: 19_990_000)], after: nil)
        let forgotten = alone.transactions.map(KnownPeriod.init)
        let seen = rows([period(10, id: "N0", product: "basic", price: 4_990_000)], after: nil)
        let known = seen.transactions.map(KnownPeriod.init)
        #expect(known.map(\.kind) == [.purchase])
        let again = rows(
            [period(10, id: "N0", product: "basic", price: 4_990_000)], after: nil, known: known, lineage: old,
            stored: forgotten)
        #expect(kinds(again) == [.downgrade])
    }

    /// Play's time proration: the first period under the new token costs nothing, and the older one is reported only once.
    @Test func `B7: what follows a change of plan that cost nothing is its renewal, in whichever night it is reported`()
    {
        let proration = period(10, id: "N0", product: "pro", price: 0)
        let paid = period(40, id: "N1", product: "pro", price: 19_990_000)
        let first = rows([proration], after: [period(0, id: "O0")])
        #expect(kinds(first) == [.crossgrade])
        let known = first.transactions.filter { $0.key == lineKey }.map(KnownPeriod.init)
        #expect(kinds(rows([proration, paid], after: nil, known: known, lineage: old)) == [.crossgrade, .renewal])
        #expect(kinds(rows([proration, paid], after: [period(0, id: "O0")])) == [.crossgrade, .renewal])
    }

    /// Bought on day 10 of a month: an order of its own, and from the renewal on a line of the common one.
    @Test func `B7: an add-on bought to a running purchase is a line of its own, and no change of its plan`() {
        func reported(_ periods: [ObservedPeriod], known: [KnownPeriod] = []) -> ChunkRows {
            let items = [("monthly", "T0"), ("addon", "T1")].map {
                SubscriptionItem(productID: $0.0, expiresAt: day(30), autoRenew: true, latestTransactionID: $0.1)
            }
            return TransformTests.rows(
                Reading(
                    observations: [
                        Observation(
                            storeKey: line, environment: .production,
                            status: status(.active, expires: 30, version: day(11)), periods: periods, items: items)
                    ], archive: []), for: [due(SubscriptionSnapshot(), known: known)], now: day(11), kind: .googlePlay)
        }
        let base = period(0, id: "T0", price: 9_990_000)
        let addOn = period(10, days: 20, id: "T1", product: "addon", price: 1_000_000)
        #expect(kinds(reported([base, addOn])) == [.purchase, .purchase])
        let known = reported([base]).transactions.map(KnownPeriod.init)
        #expect(kinds(reported([addOn], known: known)) == [.purchase])
        // Looked at again for money given back: the orders alone, without the items.
        let both = reported([base, addOn]).transactions.map(KnownPeriod.init)
        let again = TransformTests.rows(
            reading(observation([base, addOn])), for: [due(SubscriptionSnapshot(), known: both)], now: day(31),
            kind: .googlePlay)
        #expect(kinds(again) == [.purchase, .purchase])
    }

    /// The dearer plan ended with its month, the cheaper one took its place, and ten days later something was added.
    @Test func `B7: a change of plan stays one when an add-on is bought after it`() {
        let orders = [
            period(0, id: "T0", product: "pro", price: 18_000_000), period(30, id: "T1", price: 7_200_000),
            period(40, days: 20, id: "T2", product: "addon", price: 900_000),
        ]
        let items = [("monthly", "T1"), ("addon", "T2")].map {
            SubscriptionItem(productID: $0.0, expiresAt: day(60), autoRenew: true, latestTransactionID: $0.1)
        }
        let rows = TransformTests.rows(
            Reading(
                observations: [
                    Observation(
                        storeKey: line, environment: .production,
                        status: status(.active, expires: 60, version: day(41)), periods: orders, items: items)
                ], archive: []), now: day(41), kind: .googlePlay)
        #expect(rows.transactions.map(\.transactionID) == ["T0", "T1", "T2"])
        #expect(kinds(rows) == [.purchase, .downgrade, .purchase])
    }

    @Test func `a chain of three: the line runs through all of them`() {
        let now = day(90)
        let rows = TransformTests.rows(
            Reading(
                observations: [
                    Observation(
                        storeKey: line, environment: .production, status: nil,
                        periods: [period(60, id: "C", price: 4_990_000)], linkedTo: old),
                    Observation(
                        storeKey: old, environment: .production, status: nil,
                        periods: [period(30, id: "B", product: "pro", price: 19_990_000)], linkedTo: oldest),
                    observation([period(0, id: "A")], of: oldest),
                ], archive: []), now: now, kind: .googlePlay)
        let byID = Dictionary(rows.transactions.map { ($0.transactionID, $0.kind) }) { first, _ in first }
        #expect(byID == ["A": .purchase, "B": .upgrade, "C": .downgrade])
        #expect(rows.links.count == 2)
    }

    @Test func `a purchase that names itself as its older one is linked to nothing`() {
        let rows = TransformTests.rows(
            Reading(
                observations: [
                    Observation(
                        storeKey: line, environment: .production, status: nil, periods: [period(0)], linkedTo: line)
                ], archive: []), now: day(1), kind: .googlePlay)
        #expect(rows.links.isEmpty)
        #expect(kinds(rows) == [.purchase])
    }

    @Test func `B7: paid in advance: each is a top-up, the first one included`() {
        var first = period(0, id: "O0")
        first.isPrepaid = true
        var second = period(30, id: "N0")
        second.isPrepaid = true
        let rows = rows([second], after: [first])
        #expect(kinds(rows) == [.topUp])
        #expect(kinds(rows, of: oldKey) == [.topUp])
    }

    @Test
    func `items of a purchase become rows; parts of a refund, tax and proceeds go through as the store reported them`()
    {
        var paid = period(0)
        paid.sale.taxMicros = 1_600_000
        paid.facts.proceedsMicros = 7_131_500
        paid.sale.recurringPriceMicros = 22_000_000
        paid.refund = ObservedPeriod.Refund(
            at: day(9), kind: .partial, micros: 3_000_000,
            parts: [RefundPart(at: day(5), micros: 1_000_000), RefundPart(at: day(9), micros: 2_000_000)])
        let item = SubscriptionItem(
            productID: "addon", expiresAt: day(30), autoRenew: true, latestTransactionID: "T0")
        let rows = TransformTests.rows(
            Reading(
                observations: [
                    Observation(
                        storeKey: line, environment: .production,
                        status: status(.active, expires: 30, version: day(10)), periods: [paid], items: [item])
                ], archive: []), now: day(10), kind: .googlePlay)
        #expect(
            rows.items == [
                lineKey: [
                    SubscriptionItem(
                        productID: "addon", expiresAt: day(30), autoRenew: true, latestTransactionID: "T0")
                ]
            ])
        #expect(rows.transactions.first?.taxMicros == 1_600_000)
        #expect(rows.transactions.first?.proceedsMicros == 7_131_500)
        #expect(rows.transactions.first?.recurringPriceMicros == 22_000_000)
        #expect(rows.transactions.first?.refundMicros == 3_000_000)
        #expect(rows.transactions.first?.refundParts.map(\.micros) == [1_000_000, 2_000_000])
    }
}

extension DueSubscription {
    func inLineage(of older: Secret, stored: [KnownPeriod] = []) -> DueSubscription {
        DueSubscription(
            key: key, lineageKey: SubscriptionKey(appID: appID, storeKey: older.reveal()), appID: appID,
            storeKey: storeKey, environment: environment, accountID: accountID, productID: productID, country: country,
            snapshot: snapshot, historyCursor: historyCursor, historyReach: historyReach, receipt: receipt,
            known: known,
            knownEarlier: stored)
    }
}
