// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing

@testable import GooglePlay

/// What others' users tripped on, where no other test of this room is about it.
@Suite struct PitfallTests {
    private static func orders(_ subscription: Object, known: [KnownPeriod] = []) throws -> [String] {
        var unknownValues = UnknownValueCounts()
        let due = Play.due(known: known)
        let purchase = try PlayV2().purchase(
            Play.document("subscription", subscription), of: due, readAt: Play.now, unknownValues: &unknownValues)
        return OrderPlan.orders(of: due, purchase)
    }

    /// The older member may name a declined order; the item's own names a settled one.
    @Test
    func `B8: the item's latest settled order comes before the older member, which is asked for if alone`() throws {
        let declined: [String: (any Sendable)?] = ["latestOrderId": Play.base + "..4"]
        #expect(try Self.orders(Play.subscription("ACTIVE", declined)) == [Play.base])
        let alone = Play.subscription(
            "ACTIVE",
            ["latestOrderId": Play.base + "..0", "lineItems": [Play.item(["latestSuccessfulOrderId": nil])]])
        #expect(try Self.orders(alone, known: [Play.known()]) == [Play.base + "..0"])
    }

    /// It leaves out discounts and tax: what was charged is in the order.
    @Test func `B8: the plan's recurring price is no charge`() throws {
        let plan: Object = ["autoRenewEnabled": true, "recurringPrice": Play.euros(99)]
        let subscription = Play.subscription("ACTIVE", ["lineItems": [Play.item(["autoRenewingPlan": plan])]])
        #expect(try Play.read(subscription).periods.isEmpty)
        #expect(try Play.read(subscription, orders: [Play.order()]).periods.map(\.priceMicros) == [9_990_000])
    }

    @Test(
        arguments: [("FREE_TRIAL", true, .introductory), ("INTRODUCTORY", false, .introductory), ("BASE", false, nil)]
            as [(String, Bool, OfferType?)])
    func `B7: the older word for a phase is understood where the newer member is not there`(
        word: String, isFree: Bool, offer: OfferType?
    ) throws {
        let details: Object = [
            "basePlanId": "monthly", "offerPhase": word, "servicePeriodStartTime": "2026-03-01T00:00:00Z",
            "servicePeriodEndTime": "2026-04-01T00:00:00Z",
        ]
        let order = Play.order(["lineItems": [Play.line(["subscriptionDetails": details])]])
        let period = try #require(try Play.read(Play.subscription(), orders: [order]).periods.first)
        #expect(period.isFreeOffer == isFree)
        #expect(period.offerType == offer)
    }

    @Test func `B3: a time may be given at an offset other than UTC`() throws {
        let item = Play.item(["expiryTime": "2026-04-01T02:00:00.123456789+02:00"])
        let status = try Play.read(Play.subscription("ACTIVE", ["lineItems": [item]])).status
        #expect(status?.expiresAt == Play.time("2026-04-01T00:00:00.123456Z"))
    }

    /// Bought a second time without saying what it replaces: both run, and neither ends the other.
    @Test func `B7: two purchases that replace nothing are two subscriptions`() throws {
        for token in ["token-1", "token-2"] {
            let reading = try Play.read(
                Play.subscription(), orders: [Play.order(["purchaseToken": token])], due: Play.due(token))
            #expect(reading.observations.map(\.storeKey) == [Secret(token)])
            #expect(reading.status?.state == .active)
            #expect(reading.periods.map(\.isUpgraded) == [false])
        }
    }

    /// Its own state is over; the purchase it would have replaced is asked about under its own token.
    @Test func `B7: a replacement that was never paid ends, and the purchase it names goes on`() throws {
        let withdrawn = Play.subscription("PENDING_PURCHASE_CANCELED", ["linkedPurchaseToken": "token-0"])
        let observation = try #require(try Play.read(withdrawn).observations.first)
        #expect(observation.status?.state == .expired)
        #expect(observation.linkedTo == Secret("token-0"))
        #expect(observation.periods.isEmpty)
    }

    /// A revocation moves the expiry to its own instant: access ends there, and the whole order was given back.
    @Test func `B6: a purchase that was revoked ends at once`() throws {
        let expiry = "2026-03-09T00:00:00Z"
        let revoked = Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["developerInitiatedCancellation": [:] as Object] as Object,
                "lineItems": [Play.item(["expiryTime": expiry, "autoRenewingPlan": [:] as Object])],
            ])
        let history: Object = [
            "processedEvent": ["eventTime": "2026-03-01T00:00:02Z"] as Object,
            "refundEvent": ["eventTime": expiry, "refundDetails": ["total": Play.euros(9, cents: 99)] as Object]
                as Object,
        ]
        let order = Play.order(Play.base, state: "REFUNDED", ["orderHistory": history])
        let reading = try Play.read(revoked, orders: [order], due: Play.due(known: [Play.known()]))
        #expect(reading.status?.state == .revoked)
        #expect(reading.status?.endReason == .refund)
        #expect(reading.status?.revokedAt == Play.time(expiry))
        #expect(reading.periods.first?.refund?.at == Play.time(expiry))
        #expect(reading.periods.first?.refund?.micros == 9_990_000)
    }
}
