// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import Testing
import TestSupport

@testable import GooglePlay

/// Whether a purchase was cut short by the one that replaced it, or went on under it: for ever stated by the orders of
/// the later one.
///
/// The older one ran for March and was replaced on the 10th.
@Suite(.hangLimit) struct SuccessorTests {
    private static let oldBase = "GPA.1100-0000-0000-00001"

    /// An order of the later purchase: which product, and when its time begins.
    struct Order: Sendable {
        let product: String
        let day: String
    }

    private static func old(_ product: String = "gold.month") -> Object {
        Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["replacementCancellation": [:] as Object],
                "lineItems": [
                    Play.item([
                        "productId": product, "expiryTime": "2026-03-10T09:00:00Z", "latestSuccessfulOrderId": oldBase,
                    ])
                ],
            ])
    }

    private static func order(_ number: Int, _ order: Order) -> Object {
        let details: Object = [
            "basePlanId": "monthly", "servicePeriodStartTime": "\(order.day)T00:00:00Z",
            "servicePeriodEndTime": "2026-06-01T00:00:00Z",
        ]
        return Play.order(
            "\(Play.base)" + (number == 0 ? "" : "..\(number - 1)"),
            [
                "purchaseToken": "token-1",
                "lineItems": [Play.line(["productId": order.product, "subscriptionDetails": details])],
            ])
    }

    @Test(
        arguments: [
            // A downgrade that waited for the renewal.
            ([Order(product: "silver.month", day: "2026-04-01")], false),
            // An added product until the renewal, then both.
            (
                [
                    Order(product: "extra.month", day: "2026-03-10"), Order(product: "gold.month", day: "2026-04-01"),
                ], false
            ),
            // Another product at once.
            ([Order(product: "silver.month", day: "2026-03-10")], true),
            (
                [
                    Order(product: "silver.month", day: "2026-03-10"),
                    Order(product: "silver.month", day: "2026-04-01"),
                ], true
            ),
            // Another product at once, and the first one again by a later change.
            (
                [
                    Order(product: "silver.month", day: "2026-03-10"),
                    Order(product: "silver.month", day: "2026-04-01"), Order(product: "gold.month", day: "2026-04-20"),
                ], true
            ),
            // Another base plan of the same product at once.
            ([Order(product: "gold.month", day: "2026-03-10")], true),
            // The same, whose rest of the old time was over with it: then the new plan renewed.
            (
                [Order(product: "gold.month", day: "2026-03-10"), Order(product: "gold.month", day: "2026-04-01")],
                true
            ),
            // Nothing when the old time was over.
            ([Order(product: "silver.month", day: "2026-05-15")], true),
        ])
    func `B7: a purchase that another one went on with was not cut short, however late that is seen`(
        orders: [Order], isCut: Bool
    ) throws {
        let latest = Play.base + (orders.count > 1 ? "..\(orders.count - 2)" : "")
        let new = Play.subscription(
            "ACTIVE",
            [
                "linkedPurchaseToken": "token-0",
                "lineItems": [
                    Play.item([
                        "productId": orders[orders.count - 1].product, "expiryTime": "2026-06-01T00:00:00Z",
                        "latestSuccessfulOrderId": latest,
                    ])
                ],
            ])
        let march = Play.order(Self.oldBase, ["purchaseToken": "token-0"])
        let reading = try Play.read(
            new, orders: orders.enumerated().map { Self.order($0.offset, $0.element) } + [march], linked: [Self.old()],
            due: Play.due(snapshot: nil))
        let reported = try #require(reading.observations.last?.periods.first)
        #expect(reported.transactionID == Self.oldBase)
        #expect(reported.isUpgraded == isCut)
        #expect(reported.statesUpgrade)
    }

    @Test(arguments: [(["2026-04-01"], false), (["2026-03-10", "2026-04-01"], true)])
    func `B7: the later purchase's orders state whether it was cut short also where stored and not reported again`(
        days: [String], isCut: Bool
    ) throws {
        let stored = days.enumerated().map { number, day in
            Play.known(
                Play.base + (number == 0 ? "" : "..\(number - 1)"), start: "\(day)T00:00:00Z",
                end: number + 1 < days.count ? "\(days[number + 1])T00:00:00Z" : "2026-05-01T00:00:00Z")
        }
        let latest = try #require(stored.last?.transactionID)
        let new = Play.subscription(
            "ACTIVE",
            [
                "linkedPurchaseToken": "token-0",
                "lineItems": [
                    Play.item(["expiryTime": "2026-05-01T00:00:00Z", "latestSuccessfulOrderId": latest])
                ],
            ])
        let reading = try Play.read(
            new, orders: [Play.order(Self.oldBase, ["purchaseToken": "token-0"])], linked: [Self.old()],
            due: Play.due(snapshot: nil, known: stored))
        let reported = try #require(reading.observations.last?.periods.first)
        #expect(reported.transactionID == Self.oldBase)
        #expect(reported.isUpgraded == isCut)
    }

    @Test func `B7: a purchase's orders alone, looked at again, do not state whether it was cut short`() throws {
        let again = try Play.read(
            nil, orders: [Play.order()],
            due: Play.due(wantsOnlyRefunds: true, known: [Play.known(isUpgraded: true)]))
        #expect(again.periods.map(\.isUpgraded) == [true])
        #expect(again.periods.map(\.statesUpgrade) == [false])
    }

    @Test func `B7: asked by itself, a replaced purchase seems cut short, but does not state it`() throws {
        let march = Play.order(Self.oldBase, ["purchaseToken": "token-0"])
        let alone = try Play.read(Self.old(), orders: [march], due: Play.due("token-0", snapshot: nil))
        #expect(alone.periods.map(\.isUpgraded) == [true])
        #expect(alone.periods.map(\.statesUpgrade) == [false])
    }
}
