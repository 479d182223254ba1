// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite(.hangLimit) struct ChainTests {
    private static let oldBase = "GPA.1100-0000-0000-00001"

    private static let old: Object = Play.subscription(
        "EXPIRED",
        [
            "canceledStateContext": ["replacementCancellation": [:] as Object],
            "linkedPurchaseToken": "token-oldest",
            "lineItems": [
                Play.item([
                    "productId": "silver.month", "expiryTime": "2026-03-01T00:00:00Z",
                    "latestSuccessfulOrderId": oldBase + "..0",
                ])
            ],
        ])

    private static func oldOrder(_ id: String, start: String, end: String) -> Object {
        Play.order(
            id,
            [
                "purchaseToken": "token-0",
                "lineItems": [
                    Play.changed(
                        Play.line(),
                        [
                            "productId": "silver.month",
                            "subscriptionDetails": [
                                "servicePeriodStartTime": start, "servicePeriodEndTime": end,
                                "offerPhaseDetails": ["baseDetails": [:] as Object],
                            ] as Object,
                        ])
                ],
            ])
    }

    private static let oldOrders: [Object] = [
        oldOrder(oldBase, start: "2026-01-15T00:00:00Z", end: "2026-02-15T00:00:00Z"),
        oldOrder(oldBase + "..0", start: "2026-02-15T00:00:00Z", end: "2026-03-15T00:00:00Z"),
    ]

    @Test func `B7: a first check looks at the purchases it continues and at all their orders`() async throws {
        let orders = Dictionary(
            uniqueKeysWithValues: ([Play.order()] + Self.oldOrders).map { ($0["orderId"] as? String ?? "", $0) })
        let answers = [
            "token-1": Play.json(Play.subscription("ACTIVE", ["linkedPurchaseToken": "token-0"])),
            "token-0": Play.json(Self.old),
        ]
        let server = try PlayServer { request, _ in
            if request.path.contains("orders:batchGet") { return PlayServer.batch(request, of: orders) }
            let token = request.path.split(separator: "/").last.map(String.init) ?? ""
            return answers[token].map { .init(200, $0) } ?? PlayServer.refusal(410, "purchaseTokenNoLongerValid")
        }
        let answer = try #require(try await server.ask([Play.due(snapshot: nil)]).first).get()
        #expect(
            server.paths == [
                "/purchases/subscriptionsv2/tokens/token-1", "/purchases/subscriptionsv2/tokens/token-0",
                "/purchases/subscriptionsv2/tokens/token-oldest",
                "/orders:batchGet?orderIds=\(Play.base)&orderIds=\(Self.oldBase)&orderIds=\(Self.oldBase)..0",
            ])
        let reading = try Play.store().read(answer)
        #expect(reading.unknownValues.isEmpty)
        #expect(reading.observations.map(\.storeKey) == [Secret("token-1"), Secret("token-0")])
        #expect(reading.observations.map(\.linkedTo) == [Secret("token-0"), Secret("token-oldest")])
        // The older one's state waits for its own check.
        #expect(reading.observations.map { $0.status?.state } == [.active, nil])
        #expect(
            reading.observations.map { $0.periods.map(\.transactionID) } == [
                [Play.base], [Self.oldBase, Self.oldBase + "..0"],
            ])
        // Its last period was cut short on the 1st of March.
        #expect(reading.observations.last?.periods.map(\.isUpgraded) == [false, true])
        #expect(reading.observations.last?.periods.last?.priceMicros == 9_990_000)
    }

    @Test func `B7: a later check reports the link and asks no further`() async throws {
        let server = try PlayServer { _, _ in
            .init(200, Play.json(Play.subscription("ACTIVE", ["linkedPurchaseToken": "token-0"])))
        }
        let answer = try #require(try await server.ask([Play.due(known: [Play.known()])]).first).get()
        #expect(server.paths == ["/purchases/subscriptionsv2/tokens/token-1"])
        #expect(try Play.store().read(answer).observations.first?.linkedTo == Secret("token-0"))
    }

    @Test func `a chain is followed eight purchases back, and a circle once around`() async throws {
        let endless = try PlayServer { request, number in
            request.path.contains("orders:batchGet")
                ? PlayServer.refusal(404, "notFound")
                : .init(200, Play.json(Play.subscription("ACTIVE", ["linkedPurchaseToken": "token-x\(number)"])))
        }
        _ = try await endless.ask([Play.due(snapshot: nil)])
        #expect(endless.paths.filter { $0.contains("tokens") }.count == 9)
        let circle = try PlayServer { request, _ in
            request.path.contains("orders:batchGet")
                ? PlayServer.refusal(404, "notFound")
                : .init(200, Play.json(Play.subscription("ACTIVE", ["linkedPurchaseToken": "token-1"])))
        }
        _ = try await circle.ask([Play.due(snapshot: nil)])
        #expect(circle.paths.filter { $0.contains("tokens") }.count == 1)
    }

    @Test func `B7: a replaced purchase has the order of its last period read again`() throws {
        let replaced = Play.subscription(
            "EXPIRED",
            [
                "canceledStateContext": ["replacementCancellation": [:] as Object],
                "lineItems": [Play.item(["expiryTime": "2026-03-09T00:00:00Z"])],
            ])
        let due = Play.due(known: [Play.known()])
        var unknownValues = UnknownValueCounts()
        let purchase = try PlayV2().purchase(
            Play.document("subscription", replaced), of: due, readAt: Play.now, unknownValues: &unknownValues)
        #expect(OrderPlan.orders(of: due, purchase) == [Play.base])
        let reading = try Play.read(replaced, orders: [Play.order()], due: due)
        #expect(reading.status?.endReason == .replaced)
        #expect(reading.periods.map(\.isUpgraded) == [true])
    }

    @Test func `B7: a prepaid purchase's rows say so`() throws {
        let prepaid = Play.item(["autoRenewingPlan": nil, "prepaidPlan": [:] as Object])
        let reading = try Play.read(Play.subscription("ACTIVE", ["lineItems": [prepaid]]), orders: [Play.order()])
        #expect(reading.periods.map(\.isPrepaid) == [true])
        #expect(try Play.read(Play.subscription(), orders: [Play.order()]).periods.map(\.isPrepaid) == [false])
    }
}
