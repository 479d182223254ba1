// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing

@testable import GooglePlay

/// An id that is too long to be part of a key: its row is set aside with the reason, and the rest of the answer is taken.
@Suite("Long ids of Google Play") struct LongIDTests {
    private static let long = String(repeating: "m", count: 12_000)

    @Test func `an order's line with a product id of 12,000 characters is set aside, and its neighbour is booked`()
        throws
    {
        let order = Play.order(["lineItems": [Play.line(), Play.line(["productId": Self.long])]])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.periods.map(\.productID) == ["gold.month"])
        #expect(reading.setAside.map(\.reason) == ["id_too_long"])
        #expect(reading.setAside.map(\.detail) == ["productId is 12000 characters long; at most 300 are taken."])
        #expect(reading.setAside.map(\.transactionID) == [Play.base])
    }

    @Test func `a base plan of such a length sets its line aside`() throws {
        let details = ["basePlanId": Self.long] as Object
        let order = Play.order(["lineItems": [Play.line(["subscriptionDetails": details])]])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.setAside.map(\.detail) == ["basePlanId is 12000 characters long; at most 300 are taken."])
    }

    @Test func `an order id of such a length is set aside and not asked for, and the state is taken`() throws {
        let subscription = Play.subscription(
            "ACTIVE", ["lineItems": [Play.item(["latestSuccessfulOrderId": Self.long])]])
        let reading = try Play.read(subscription)
        let observation = try #require(reading.observations.first)
        #expect(observation.status?.state == .active && observation.unsettled.isEmpty)
        #expect(reading.setAside.map(\.detail) == ["orderId is 12000 characters long; at most 300 are taken."])
    }

    @Test func `of several items the one with such a name is none`() throws {
        let items = [Play.item(), Play.item(["productId": Self.long])]
        let reading = try Play.read(
            Play.subscription("ACTIVE", ["lineItems": items]), orders: [Play.order()])
        #expect(reading.observations.first?.items?.map(\.productID) == ["gold.month"])
    }

    /// A test's only period is read from the answer itself, under the product it was registered with.
    @Test func `a product that was registered under such a name is not booked`() throws {
        let answer: Object = [
            "kind": "androidpublisher#subscriptionPurchase", "purchaseType": 0, "autoRenewing": true,
            "startTimeMillis": "\(Play.time("2026-03-01T00:00:00Z").milliseconds)", "paymentState": 1,
            "expiryTimeMillis": "\(Play.time("2026-04-01T00:00:00Z").milliseconds)", "orderId": Play.base,
            "priceCurrencyCode": "EUR", "priceAmountMicros": "9990000", "countryCode": "DE",
        ]
        let reading = try Play.read(
            answer, due: Play.due(product: Self.long, snapshot: nil), readAt: Play.now, api: .v1)
        #expect(reading.periods.isEmpty)
        #expect(reading.setAside.map(\.detail) == ["productId is 12000 characters long; at most 300 are taken."])
    }
}
