// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

@Suite(.hangLimit) struct V1Tests {
    private static let march = "\(Play.time("2026-03-01T00:00:00Z").milliseconds)"
    private static let april = "\(Play.time("2026-04-01T00:00:00Z").milliseconds)"
    private static let midMarch = Play.time("2026-03-15T00:00:00Z")
    private static let paidUntil = Play.time("2026-04-01T00:00:00Z")

    private static func answer(_ changes: [String: (any Sendable)?] = [:]) -> Object {
        Play.changed(
            [
                "kind": "androidpublisher#subscriptionPurchase", "startTimeMillis": march, "expiryTimeMillis": april,
                "autoRenewing": true, "priceCurrencyCode": "EUR", "priceAmountMicros": "9990000", "countryCode": "DE",
                "paymentState": 1, "orderId": Play.base,
            ], changes)
    }

    private func read(
        _ changes: [String: (any Sendable)?], orders: [Object] = [], due: DueSubscription = Play.due(), at: Instant
    ) throws -> Reading {
        try Play.read(Self.answer(changes), orders: orders, due: due, readAt: at, api: .v1)
    }

    @Test(
        arguments: [
            (1, nil, true, -1, .active, nil), (2, nil, true, -1, .active, nil), (3, nil, true, -1, .active, nil),
            (nil, 0, false, -1, .active, nil), (0, nil, true, 1, .billingRetry, nil),
            (0, 1, false, 1, .expired, .involuntary), (1, nil, true, 47, .active, nil),
            (2, nil, true, 47, .active, nil), (3, nil, true, 47, .active, nil), (3, nil, true, 48, .expired, .unknown),
            (1, nil, true, 48, .expired, .unknown), (1, 0, false, 1, .expired, .voluntary),
            (nil, 0, false, 1, .expired, .voluntary), (nil, 1, false, 1, .expired, .involuntary),
            (nil, 2, false, 1, .expired, .replaced), (nil, 3, false, 1, .expired, .developer),
            (nil, nil, true, 1, .expired, .unknown), (nil, 9, false, 1, .expired, .unknown),
        ] as [(Int?, Int?, Bool, Int64, SubscriptionState, EndReason?)])
    func `B3: in the older interface an expiry in the past without grace, account hold or pause is an end`(
        payment: Int?, reason: Int?, renews: Bool, hoursPastExpiry: Int64, state: SubscriptionState, end: EndReason?
    ) throws {
        let status = try #require(
            try read(
                ["paymentState": payment, "cancelReason": reason, "autoRenewing": renews],
                at: Self.paidUntil + .hours(hoursPastExpiry)
            ).status)
        #expect(status.state == state)
        #expect(status.endReason == end)
        #expect(status.autoRenew == renews)
        #expect(status.productID == "gold.month")
    }

    @Test func `B3: an awaited payment is the first one unless something was settled before`() throws {
        #expect(try read(["paymentState": 0], at: Self.midMarch).status?.state == .pending)
        let extended = "\(Play.time("2026-04-04T00:00:00Z").milliseconds)"
        let grace = try read(
            ["paymentState": 0, "expiryTimeMillis": extended], due: Play.due(known: [Play.known()]),
            at: Play.time("2026-04-02T00:00:00Z"))
        #expect(grace.status?.state == .grace)
        #expect(grace.status?.expiresAt == Self.paidUntil)
        #expect(grace.status?.graceExpiresAt == Play.time("2026-04-04T00:00:00Z"))
        // What is not paid for is not booked, whoever knows its order.
        #expect(grace.periods.isEmpty)
    }

    @Test(arguments: [(Int64(1), SubscriptionState.active), (47, .active), (48, .expired)])
    func `B3: after a pause the silent grace counts from its end`(hours: Int64, state: SubscriptionState) throws {
        let resume = Self.paidUntil + .days(30)
        let resumed = try read(
            ["paymentState": 1, "autoResumeTimeMillis": "\(resume.milliseconds)"], at: resume + .hours(hours))
        #expect(resumed.status?.state == state)
    }

    @Test func `a pause has its resume ahead`() throws {
        let resume = Play.time("2026-05-01T00:00:00Z")
        let paused = try read(["autoResumeTimeMillis": "\(resume.milliseconds)"], at: Self.paidUntil + .days(3)).status
        #expect(paused?.state == .paused)
        #expect(paused?.resumesAt == resume)
    }

    @Test func `an unknown number leaves the last state unchanged and is counted`() throws {
        let reading = try read(["paymentState": 7], at: Self.midMarch)
        #expect(reading.status?.state == nil)
        #expect(reading.unknownValues["subscription.paymentState=7"] == 1)
    }

    @Test func `orders give the money`() throws {
        let reading = try read([:], orders: [Play.order()], at: Self.midMarch)
        #expect(reading.periods.map(\.priceSource) == [.storeOrder])
        #expect(reading.periods.first?.taxMicros == 1_600_000)
        #expect(reading.observations.first?.environment == .production)
    }

    @Test(
        arguments: [
            (["purchaseType": 0], 9_990_000, "EUR", .storePrice, false, nil),
            (["purchaseType": 0, "paymentState": 2], 0, "EUR", .storePrice, true, .introductory),
            (["purchaseType": 1, "priceAmountMicros": nil], 0, nil, .storePrice, false, nil),
            (["purchaseType": 0, "priceAmountMicros": nil], nil, nil, .missing, false, nil),
            (
                [
                    "purchaseType": 0,
                    "introductoryPriceInfo": [
                        "introductoryPriceCurrencyCode": "EUR", "introductoryPriceAmountMicros": "990000",
                    ],
                ], 990_000, "EUR", .storePrice, false, .introductory
            ),
        ] as [([String: (any Sendable)?], Int64?, String?, PriceSource, Bool, OfferType?)])
    func `where the order is unknown, the answer itself gives the row`(
        changes: [String: (any Sendable)?], price: Int64?, currency: String?, source: PriceSource, isFree: Bool,
        offer: OfferType?
    ) throws {
        let period = try #require(try read(changes, at: Self.midMarch).periods.first)
        #expect(period.priceMicros == price)
        #expect(period.currency == currency)
        #expect(period.priceSource == source)
        #expect(period.isFreeOffer == isFree)
        #expect(period.offerType == offer)
        #expect(period.start == Play.time("2026-03-01T00:00:00Z"))
        #expect(period.end == Self.paidUntil)
    }

    @Test func `B3: a renewal not known before begins where the known one ended`() throws {
        let may = "\(Play.time("2026-05-01T00:00:00Z").milliseconds)"
        let reading = try read(
            [
                "orderId": Play.base + "..0", "expiryTimeMillis": may, "introductoryPriceInfo": [:] as Object,
                "purchaseType": 0,
            ],
            due: Play.due(known: [Play.known()]), at: Self.paidUntil + .days(1))
        #expect(reading.periods.map(\.transactionID) == [Play.base + "..0"])
        #expect(reading.periods.map(\.start) == [Self.paidUntil])
        #expect(reading.periods.map(\.priceMicros) == [9_990_000])
        // A declined order's id comes without a later expiry.
        let declined = try read(
            ["orderId": Play.base + "..0", "cancelReason": 1], due: Play.due(known: [Play.known()]),
            at: Self.paidUntil + .days(1))
        #expect(declined.periods.isEmpty)
    }

    /// A test purchase of 2018-12-11T08:08:50Z for five minutes, as the store reported it; nothing says what it cost.
    @Test func `the store's own sample, worked out on paper`() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Fixtures/google_subscription_v1_sandbox", withExtension: "json"))
        let due = Play.due("xxx", product: "example", environment: nil, snapshot: nil)
        func read(at: Instant) throws -> Reading {
            try Play.store(Play.configuration(api: .v1), readAt: at).read(
                StoreAnswer(
                    inquiry: Inquiry(subscriptions: [due]), environment: .sandbox,
                    documents: [StoreAnswer.Document(endpoint: "subscription", body: Array(try Data(contentsOf: url)))],
                    answeredAt: at))
        }
        let (start, end) = (Play.time("2018-12-11T08:08:50Z"), Play.time("2018-12-11T08:13:50Z"))
        let running = try read(at: Play.time("2018-12-11T08:10:00Z"))
        #expect(running.observations.first?.environment == .sandbox)
        #expect(
            running.status
                == ObservedStatus(
                    state: .active, productID: "example", autoRenew: true, autoRenewProductID: "example",
                    expiresAt: end, sourceVersion: Play.time("2018-12-11T08:10:00Z")))
        #expect(
            running.periods == [
                ObservedPeriod(
                    PeriodFacts(
                        transactionID: "GPA.1111-1111-1111-11111", periodKey: "GPA.1111-1111-1111-11111",
                        productID: "example", purchasedAt: start, start: start, end: end),
                    SaleFacts(
                        originalTransactionID: "GPA.1111-1111-1111-11111", priceSource: .missing,
                        sourceVersion: Play.time("2018-12-11T08:10:00Z")))
            ])
        #expect(!(running.archive.first?.body.contains("free-text") ?? true))
        // Nothing is said of a payment: past its expiry it is over, and the reason is unknown.
        let over = try read(at: Play.time("2018-12-11T08:20:00Z"))
        #expect(over.status?.state == .expired)
        #expect(over.status?.endReason == .unknown)
    }

    @Test func `B3: the latest order of what ended unpaid was declined`() throws {
        let system = try read(
            ["orderId": Play.base + "..0", "cancelReason": 1, "paymentState": nil], at: Self.paidUntil + .days(9))
        #expect(system.status?.endReason == .involuntary)
        #expect(system.periods.isEmpty)
    }

    /// Their products are others, which are unknown.
    @Test func `older purchases are asked for through the newer interface`() async throws {
        let server = try PlayServer { request, _ in
            if request.path.contains("orders:batchGet") { return PlayServer.refusal(404, "notFound") }
            let old = Play.subscription("EXPIRED", ["lineItems": [Play.item(["productId": "silver.month"])]])
            return .init(
                200,
                Play.json(
                    request.path.contains("subscriptionsv2")
                        ? old : Self.answer(["linkedPurchaseToken": "token-0"])))
        }
        let answer = try #require(try await server.ask([Play.due(snapshot: nil)], api: .v1).first).get()
        #expect(server.paths.prefix(2).last == "/purchases/subscriptionsv2/tokens/token-0")
        let reading = try Play.store(Play.configuration(api: .v1)).read(answer)
        #expect(reading.observations.map(\.storeKey) == [Secret("token-1"), Secret("token-0")])
    }

    @Test func `B8: it is asked with its product, and nothing can be asked without`() async throws {
        let server = try PlayServer { request, _ in
            request.path.contains("orders:batchGet")
                ? PlayServer.batch(request, of: [Play.base: Play.order()]) : .init(200, Play.json(Self.answer()))
        }
        let answers = try await server.ask([Play.due(product: "gold/month"), Play.due("b", product: nil)], api: .v1)
        #expect(
            server.paths == [
                "/purchases/subscriptions/gold%2Fmonth/tokens/token-1", "/orders:batchGet?orderIds=\(Play.base)",
            ])
        #expect(answers.last?.failure?.reason == "no_product_id")
    }

    @Test(arguments: ["{}", #"{"expiryTimeMillis":"soon"}"#])
    func `an answer without an expiry is unreadable`(body: String) throws {
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [Play.due()]), environment: .production,
            documents: [StoreAnswer.Document(endpoint: "subscription", body: Array(body.utf8))], answeredAt: Play.now)
        #expect(throws: UnreadableAnswer.self) { try Play.store(Play.configuration(api: .v1)).read(answer) }
    }
}
