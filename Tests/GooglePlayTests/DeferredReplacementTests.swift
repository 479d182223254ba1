// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing
import TestSupport

@testable import GooglePlay

/// `ReplacementMode.DEFERRED`: the store makes a new token at once, which runs to the end of what the old one's order
/// paid for; its item names that order until then.
///
/// And `KEEP_EXISTING`, whose item names the older order, too. androidpublisher v3, revision 20261026:
/// SubscriptionPurchaseLineItem, ItemReplacement, DeferredItemReplacement.
@Suite(.hangLimit) struct DeferredReplacementTests {
    private static let oldBase = "GPA.1100-0000-0000-00001"
    private static let end = "2026-04-01T00:00:00Z"

    /// Silver until the 1st of April, then gold: bought on the 10th of March.
    private static func replacing(_ changes: [String: (any Sendable)?] = [:]) -> Object {
        let silver = Play.item([
            "productId": "silver.month", "expiryTime": end, "latestSuccessfulOrderId": oldBase,
            "autoRenewingPlan": [:] as Object, "deferredItemReplacement": ["productId": "gold.month"] as Object,
        ])
        let gold = Play.item([
            "expiryTime": nil, "latestSuccessfulOrderId": nil,
            "itemReplacement": [
                "productId": "silver.month", "basePlanId": "monthly", "replacementMode": "DEFERRED",
            ] as Object,
        ])
        return Play.subscription(
            "ACTIVE",
            ["linkedPurchaseToken": "token-0", "lineItems": [silver, gold] as [Object]].merging(changes) { $1 })
    }

    private static let oldOrder = Play.order(
        oldBase, ["purchaseToken": "token-0", "lineItems": [Play.line(["productId": "silver.month"])]])

    /// What we hold of the older purchase.
    private static var knownOld: KnownPeriod {
        KnownPeriod(
            PeriodFacts(
                transactionID: oldBase, periodKey: oldBase, productID: "silver.month",
                purchasedAt: Play.time("2026-03-01T00:00:00Z"), start: Play.time("2026-03-01T00:00:00Z"),
                end: Play.time(end), priceMicros: 9_990_000, currency: "EUR"), kind: .purchase)
    }

    private static func due(first: Bool = false, earlier: [KnownPeriod] = [], known: [KnownPeriod] = [])
        -> DueSubscription
    {
        let key = SubscriptionKey(appID: Play.appID, storeKey: "token-1")
        return DueSubscription(
            key: key, lineageKey: SubscriptionKey(appID: Play.appID, storeKey: "token-0"), appID: Play.appID,
            storeKey: Secret("token-1"), environment: .production, accountID: nil, productID: nil, country: nil,
            snapshot: first ? SubscriptionSnapshot() : SubscriptionSnapshot(state: .active, lastCheckedAt: Play.now),
            historyCursor: nil, receipt: nil, known: known, knownEarlier: earlier)
    }

    @Test func `B7: it runs on under the old product to the old end, and renews to the new one`() throws {
        let reading = try Play.read(Self.replacing(), orders: [Self.oldOrder], due: Self.due(first: true))
        let status = try #require(reading.status)
        #expect(status.state == .active)
        #expect(status.productID == "silver.month")
        #expect(status.autoRenew == true)
        #expect(status.autoRenewProductID == "gold.month")
        #expect(status.expiresAt == Play.time(Self.end))
        // The new product is not owned yet: it opens nothing.
        #expect(reading.observations.first?.items == [])
    }

    @Test(arguments: [nil, "2026-05-01T00:00:00Z"] as [String?])
    func `B7: what waits for the renewal is not owned, also where it comes first and names an expiry`(
        expiry: String?
    ) throws {
        let items = try #require(Self.replacing()["lineItems"] as? [Object])
        let waiting = Play.changed(items[1], ["expiryTime": expiry])
        let reading = try Play.read(
            Self.replacing(["lineItems": [waiting, items[0]] as [Object]]), orders: [Self.oldOrder],
            due: Self.due(first: true))
        let status = try #require(reading.status)
        #expect(status.state == .active)
        #expect(status.productID == "silver.month" && status.autoRenewProductID == "gold.month")
        #expect(status.expiresAt == Play.time(Self.end))
        #expect(reading.observations.first?.items == [])
        #expect(reading.setAside.isEmpty)
    }

    @Test func `B7: an order of the purchase it continues is no stranger, whether that one is in the answer or not`()
        throws
    {
        let unreported = try Play.read(Self.replacing(), orders: [Self.oldOrder], due: Self.due(first: true))
        let old = Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["replacementCancellation": [:] as Object],
                "lineItems": [
                    Play.item([
                        "productId": "silver.month", "expiryTime": "2026-03-10T09:00:00Z",
                        "latestSuccessfulOrderId": Self.oldBase,
                    ])
                ],
            ])
        let reported = try Play.read(
            Self.replacing(), orders: [Self.oldOrder], linked: [old], due: Self.due(first: true))
        for reading in [unreported, reported] {
            #expect(reading.setAside.isEmpty)
            #expect(reading.observations.map(\.storeKey) == [Secret("token-1"), Secret("token-0")])
            #expect(reading.observations.map { $0.periods.map(\.transactionID) } == [[], [Self.oldBase]])
            #expect(reading.observations.first?.linkedTo == Secret("token-0"))
            // It is carried on: nothing of it was cut short.
            #expect(reading.observations.last?.periods.map(\.isUpgraded) == [false])
            #expect(reading.observations.last?.status == nil)
        }
    }

    @Test func `B7: an order stored under the older purchase is not asked for again each night`() async throws {
        let server = try PlayServer { request, _ in
            request.path.contains("orders:batchGet")
                ? PlayServer.batch(request, of: [Self.oldBase: Self.oldOrder])
                : .init(200, Play.json(Self.replacing()))
        }
        let answer = try #require(try await server.ask([Self.due(earlier: [Self.knownOld])]).first).get()
        #expect(server.paths == ["/purchases/subscriptionsv2/tokens/token-1"])
        let reading = try Play.store().read(answer)
        #expect(reading.setAside.isEmpty && reading.unknownValues.isEmpty)
    }

    @Test func `B7: the first order of its own begins with the old end, and is the only one asked for`() throws {
        let own = Play.base
        let gold = Play.item(["expiryTime": "2026-05-01T00:00:00Z", "latestSuccessfulOrderId": own])
        let renewed = Self.replacing(["lineItems": [gold]])
        let due = Self.due(earlier: [Self.knownOld])
        var unknownValues = UnknownValueCounts()
        let purchase = try PlayV2().purchase(
            Play.document("subscription", renewed), of: due, readAt: Play.now, unknownValues: &unknownValues)
        #expect(OrderPlan.orders(of: due, purchase) == [own])
        #expect(purchase.productID == "gold.month")
    }

    /// It was not paid for on the 1st of April; the grace pushes the expiry of the item on.
    @Test func `B7: a grace before its first own order begins where the older one's time ended`() throws {
        let silver = Play.item([
            "productId": "silver.month", "expiryTime": "2026-04-04T00:00:00Z", "latestSuccessfulOrderId": Self.oldBase,
        ])
        let late = Play.subscription(
            "IN_GRACE_PERIOD", ["linkedPurchaseToken": "token-0", "lineItems": [silver]])
        let status = try #require(
            try Play.read(
                late, due: Self.due(earlier: [Self.knownOld]), readAt: Play.time("2026-04-02T00:00:00Z")
            ).status)
        #expect(status.state == .grace)
        #expect(status.expiresAt == Play.time(Self.end))
        #expect(status.graceExpiresAt == Play.time("2026-04-04T00:00:00Z"))
    }

    @Test func `B7: an item that was retained names the older purchase's order, too`() throws {
        let retained = Play.item([
            "productId": "silver.month", "expiryTime": Self.end, "latestSuccessfulOrderId": Self.oldBase,
            "itemReplacement": ["productId": "silver.month", "replacementMode": "KEEP_EXISTING"] as Object,
        ])
        let added = Play.item(["productId": "extra.month", "expiryTime": Self.end])
        let both = Play.subscription(
            "ACTIVE", ["linkedPurchaseToken": "token-0", "lineItems": [retained, added] as [Object]])
        let order = Play.order(["lineItems": [Play.line(["productId": "extra.month"])]])
        let reading = try Play.read(both, orders: [order, Self.oldOrder], due: Self.due(first: true))
        #expect(reading.setAside.isEmpty)
        #expect(reading.observations.map { $0.periods.map(\.transactionID) } == [[Play.base], [Self.oldBase]])
        #expect(reading.observations.first?.items?.map(\.productID) == ["silver.month", "extra.month"])
    }

    @Test func `B7: an order of an unrelated purchase is set aside as before`() throws {
        let stranger = Play.order(Self.oldBase, ["purchaseToken": "token-9"])
        let reading = try Play.read(Self.replacing(), orders: [stranger], due: Self.due(first: true))
        #expect(reading.setAside.map(\.reason) == ["wrong_purchase"])
    }
}
