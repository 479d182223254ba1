// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing
import TestSupport

@testable import GooglePlay

/// Base plans: one product is sold by the month and by the year.
///
/// androidpublisher v3, revision 20261026: SubscriptionDetails.basePlanId, OrderDetails.taxInclusive, PointsDetails.
@Suite struct BasePlanTests {
    private static func order(_ id: String = Play.base, plan: String?, from start: String, to end: String) -> Object {
        let details = Play.changed(
            [
                "offerPhaseDetails": ["baseDetails": [:] as Object] as Object, "servicePeriodStartTime": start,
                "servicePeriodEndTime": end,
            ], ["basePlanId": plan])
        return Play.order(
            id,
            [
                "orderHistory": ["processedEvent": ["eventTime": start]] as Object,
                "lineItems": [Play.line(["subscriptionDetails": details])],
            ])
    }

    @Test func `the row of an order says which base plan it is of`() throws {
        let plans = try ["monthly", "yearly", nil].map { plan in
            try Play.read(
                Play.subscription(),
                orders: [Self.order(plan: plan, from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")]
            ).periods.map(\.basePlanID)
        }
        #expect(plans == [["monthly"], ["yearly"], [nil]])
    }

    /// From the month to the year on the 1st of April, under one token, as the store defers it.
    @Test func `B7: another base plan of the product is a change of plan, and what follows it a renewal`() throws {
        let item = Play.item([
            "expiryTime": "2028-04-01T00:00:00Z", "latestSuccessfulOrderId": Play.base + "..1",
        ])
        var nights = PlayNights(.v2)
        try nights.night(
            "2027-05-01T02:00:00Z", Play.subscription("ACTIVE", ["lineItems": [item]]),
            orders: [
                Self.order(plan: "monthly", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z"),
                Self.order(
                    Play.base + "..0", plan: "yearly", from: "2026-04-01T00:00:00Z", to: "2027-04-01T00:00:00Z"),
                Self.order(
                    Play.base + "..1", plan: "yearly", from: "2027-04-01T00:00:00Z", to: "2028-04-01T00:00:00Z"),
            ])
        // 9.99 for a year is less a month than 9.99 for a month.
        #expect(nights.transactions.map(\.kind) == [.purchase, .downgrade, .renewal])
        #expect(nights.transactions.map(\.basePlanID) == ["monthly", "yearly", "yearly"])
    }

    @Test func `a base plan that was not reported is no other one`() throws {
        var nights = PlayNights(.v2)
        try nights.night(
            "2026-04-02T02:00:00Z", Play.subscription(),
            orders: [
                Self.order(plan: nil, from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z"),
                Self.order(
                    Play.base + "..0", plan: "monthly", from: "2026-04-01T00:00:00Z", to: "2026-05-01T00:00:00Z"),
            ])
        #expect(nights.transactions.map(\.kind) == [.purchase, .renewal])
    }

    /// 20.00 listed without its tax; the rest of the old period cost 4.40, of which 0.40 are tax: 10 %, so 22.00.
    @Test(
        arguments: [
            (["taxInclusive": true], Play.euros(4, cents: 40), Play.euros(0, cents: 40), 20_000_000, false),
            (["taxInclusive": false], Play.euros(4, cents: 40), Play.euros(0, cents: 40), 22_000_000, false),
            // What is false is left out.
            ([:], Play.euros(4, cents: 40), Play.euros(0, cents: 40), 22_000_000, false),
            (nil, Play.euros(4, cents: 40), Play.euros(0, cents: 40), 20_000_000, false),
            ([:], Play.euros(4, cents: 40), Play.euros(0), 20_000_000, false),
            // The tax is not reported: the listed price remains, and that is counted.
            ([:], Play.euros(0), Play.euros(0), 20_000_000, true),
        ] as [(Object?, Object, Object, Int64, Bool)])
    func `B7: a price listed without its tax is corrected before it says what the plan costs`(
        details: Object?, total: Object, tax: Object, price: Int64, isOdd: Bool
    ) throws {
        let subscription: Object = [
            "basePlanId": "monthly", "offerPhaseDetails": ["prorationPeriodDetails": [:] as Object] as Object,
            "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-03-07T00:00:00Z",
        ]
        let line = Play.line([
            "subscriptionDetails": subscription, "listingPrice": Play.euros(20), "total": total, "tax": tax,
        ])
        let order = Play.order([
            "orderDetails": details, "total": total, "tax": tax, "lineItems": [line],
            "developerRevenueInBuyerCurrency": nil,
        ])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.periods.map(\.recurringPriceMicros) == [price])
        #expect(reading.unknownValues["order.line listed without its tax"] == (isOdd ? 1 : nil))
    }

    private static let older = "GPA.5555-6666-7777-88888"

    /// A month of the older purchase in the United States, where lists leave the tax out.
    private static func month(
        _ id: String, _ start: String, _ dollars: Int, cents: Int, tax: Int, _ changes: [String: (any Sendable)?] = [:]
    ) -> Object {
        let order = Play.order(
            id,
            [
                "purchaseToken": "token-0", "buyerAddress": ["buyerCountry": "US"] as Object,
                "orderDetails": [:] as Object, "total": Play.money("USD", dollars, nanos: cents * 10_000_000),
                "tax": Play.money("USD", 0, nanos: tax * 10_000_000), "developerRevenueInBuyerCurrency": nil,
                "orderHistory": ["processedEvent": ["eventTime": start]] as Object,
            ])
        return Play.changed(order, changes)
    }

    /// 20.00 listed without its tax, and the time left after a change of plan cost nothing.
    ///
    /// February was 8.64 with 0.64 of tax: 8 %, so 21.60. January was 8.80 with 0.80, an older rate of 10 %: 22.00.
    @Test(
        arguments: [
            ([:], 21_600_000),
            // Orders do not always state where the buyer is.
            (["buyerAddress": nil], 21_600_000),
            // In another currency, from a list with the tax in it, or for nothing: February says nothing of it.
            (["total": Play.money("CAD", 8), "tax": Play.money("CAD", 1)], 22_000_000),
            (["orderDetails": ["taxInclusive": true] as Object], 22_000_000),
            (["total": Play.money("USD", 0), "tax": Play.money("USD", 0)], 22_000_000),
            (["buyerAddress": ["buyerCountry": "CA"] as Object], 22_000_000),
        ] as [([String: (any Sendable)?], Int64)])
    func `B7: where the rest of a plan costs nothing, what was paid last gives the tax on its listed price`(
        changes: [String: (any Sendable)?], price: Int64
    ) throws {
        let subscription: Object = [
            "basePlanId": "monthly", "offerPhaseDetails": ["prorationPeriodDetails": [:] as Object] as Object,
            "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-03-07T00:00:00Z",
        ]
        let rest = Play.order([
            "buyerAddress": ["buyerCountry": "US"] as Object, "orderDetails": [:] as Object,
            "total": Play.money("USD", 0), "tax": Play.money("USD", 0), "developerRevenueInBuyerCurrency": nil,
            "lineItems": [
                Play.line([
                    "subscriptionDetails": subscription, "listingPrice": Play.money("USD", 20),
                    "total": Play.money("USD", 0), "tax": Play.money("USD", 0),
                ])
            ],
        ])
        let months = [
            Self.month(Self.older + "..0", "2026-02-01T00:00:00Z", 8, cents: 64, tax: 64, changes),
            Self.month(Self.older, "2026-01-01T00:00:00Z", 8, cents: 80, tax: 80),
        ]
        let linked = Play.subscription(
            "EXPIRED",
            [
                "regionCode": "US",
                "lineItems": [
                    Play.item(["expiryTime": "2026-03-01T00:00:00Z", "latestSuccessfulOrderId": Self.older + "..0"])
                ],
            ])
        // The total of an order that costs nothing is not always stated at its top.
        let bare = Play.changed(rest, ["total": nil, "tax": nil])
        for orders in [[rest] + months, months.reversed() + [rest], [bare] + months] {
            let reading = try Play.read(
                Play.subscription("ACTIVE", ["linkedPurchaseToken": "token-0", "regionCode": "US"]), orders: orders,
                linked: [linked])
            #expect(reading.periods.map(\.recurringPriceMicros) == [price])
            #expect(reading.unknownValues["order.line listed without its tax"] == nil)
        }
    }
}

/// Play Points: what Google paid in the customer's place.
@Suite struct StoreDiscountTests {
    /// 9.99 listed, of which Google paid all; the developer gets 8.49.
    private static let order = Play.order([
        "total": Play.euros(0), "tax": Play.euros(0), "developerRevenueInBuyerCurrency": Play.euros(8, cents: 49),
        "pointsDetails": [
            "pointsOfferId": "offer", "pointsSpent": "999", "pointsCouponValue": Play.euros(9, cents: 99),
        ] as Object,
        "lineItems": [
            Play.line([
                "total": Play.euros(0), "tax": Play.euros(0), "listingPrice": Play.euros(9, cents: 99),
            ])
        ],
    ])

    @Test func `B7: the customer paid nothing, the developer gets his revenue, and the discount is labelled`() throws {
        let period = try #require(try Play.read(Play.subscription(), orders: [Self.order]).periods.first)
        #expect(period.priceMicros == 0)
        #expect(period.proceedsMicros == 8_490_000)
        #expect(period.storeDiscountMicros == 9_990_000)
        #expect(!period.isFreeOffer)
        #expect(try Play.read(Play.subscription(), orders: [Play.order()]).periods.map(\.storeDiscountMicros) == [nil])
    }

    @Test func `B7: it is the first purchase of its line, and what follows a renewal`() throws {
        var nights = PlayNights(.v2)
        let april = Play.order(
            Play.base + "..0",
            [
                "orderHistory": ["processedEvent": ["eventTime": "2026-04-01T00:00:02Z"]] as Object,
                "lineItems": [
                    Play.line([
                        "subscriptionDetails": [
                            "servicePeriodStartTime": "2026-04-01T00:00:00Z",
                            "servicePeriodEndTime": "2026-05-01T00:00:00Z",
                            "offerPhaseDetails": ["baseDetails": [:] as Object] as Object,
                        ] as Object
                    ])
                ],
            ])
        try nights.night("2026-03-10T02:00:00Z", Play.subscription(), orders: [Self.order])
        let item = Play.item(["expiryTime": "2026-05-01T00:00:00Z", "latestSuccessfulOrderId": Play.base + "..0"])
        try nights.night("2026-04-02T02:00:00Z", Play.subscription("ACTIVE", ["lineItems": [item]]), orders: [april])
        #expect(nights.transactions.map(\.kind) == [.purchase, .renewal])
    }

    /// 12.00 listed as 8.00 and 4.00: of 9.00 two thirds and one third.
    @Test func `what the store paid, and what the developer gets, go by the listed prices where nothing was paid`()
        throws
    {
        let lines = [("a", 8), ("b", 4)].map { product, price in
            Play.line([
                "productId": product, "total": Play.euros(0), "tax": Play.euros(0), "listingPrice": Play.euros(price),
            ])
        }
        let order = Play.changed(
            Self.order,
            [
                "lineItems": lines, "developerRevenueInBuyerCurrency": Play.euros(9),
                "pointsDetails": ["pointsCouponValue": Play.euros(12)] as Object,
            ])
        let periods = try Play.read(Play.subscription(), orders: [order]).periods
        #expect(periods.map(\.proceedsMicros) == [6_000_000, 3_000_000])
        #expect(periods.map(\.storeDiscountMicros) == [8_000_000, 4_000_000])
    }
}
