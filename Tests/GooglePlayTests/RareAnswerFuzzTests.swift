// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Signing
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// The other documents of Google Play, damaged: notifications and their envelopes, voided purchases, batches of orders,
/// paid purchases of the older interface, purchase data and token answers.
///
/// Nothing crashes, and no other customer's purchase is ever reported.
@Suite(.hangLimit) struct RareAnswerFuzzTests {
    private static func bytes(_ object: Object) -> [UInt8] { Array(Play.json(object).utf8) }

    private static func fixture(_ name: String) throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
        return Array(try Data(contentsOf: url))
    }

    private static let event: Object = [
        "version": "1.0", "packageName": "com.acme.app", "eventTimeMillis": "1773140400000",
        "subscriptionNotification": ["version": "1.0", "notificationType": 2, "purchaseToken": "token-1"] as Object,
    ]

    private static func hint(_ payload: [UInt8]) throws -> Hint? {
        let letter = RawNotification(source: .playRTDN, payload: Secret(String(decoding: payload, as: UTF8.self)))
        return try? Play.store().hint(in: letter)
    }

    @Test func `C3: a damaged notification requests a check of the purchase it names or none, and retains its type`()
        throws
    {
        var believed = 0
        for damage in try DamagedAnswers(of: Self.bytes(Self.event)).all {
            guard let hint = try Self.hint(damage.bytes) else { continue }
            believed += 1
            let place = "\(damage.path) as \(damage.stranger)"
            guard !damage.changes(["subscriptionNotification", "purchaseToken"]) else { continue }
            #expect(hint.targets.map(\.name) == [.storeKey(Secret("token-1"))], "\(place)")
            guard !damage.changes(["subscriptionNotification", "notificationType"]) else { continue }
            #expect(hint.type == "SUBSCRIPTION_RENEWED", "\(place)")
        }
        #expect(believed > 60, "too few notifications were believed to prove anything")
    }

    @Test func `C3: a damaged envelope brings the notification that is in it or none`() throws {
        let envelope: Object = [
            "message": [
                "data": Base64.encode(Self.bytes(Self.event)), "messageId": "m-1",
                "publishTime": "2026-03-10T11:00:00Z",
            ] as Object, "subscription": "projects/acme/subscriptions/play",
        ]
        var believed = 0
        for damage in try DamagedAnswers(of: Self.bytes(envelope)).all {
            guard let hint = try Self.hint(damage.bytes) else { continue }
            believed += 1
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(hint.targets.map(\.name) == [.storeKey(Secret("token-1"))], "\(place)")
            if !damage.changes(["message", "messageId"]) { #expect(hint.dedupeKey == "m-1", "\(place)") }
        }
        #expect(believed > 30, "too few notifications were believed to prove anything")
    }

    /// Over real sockets, as are the two that follow.
    @Test
    func `C2: a damaged answer of Pub/Sub brings its own messages or none, and acknowledges no other`() async throws {
        let message: Object = ["data": "AAAA", "messageId": "m-1", "publishTime": "2026-03-10T11:00:00Z"]
        let answers = try DamagedAnswers(
            of: Self.bytes(["receivedMessages": [["ackId": "ack-1", "message": message] as Object]]))
        let server = try PlayServer { _, _ in answers.answer }
        var configuration = Play.configuration(url: server.url)
        (configuration.pubsubSubscription, configuration.pubsubURL) = ("projects/p/subscriptions/s", server.url)
        let tokens = try configuration.tokens(through: Play.client())
        let store = configuration.store(readAt: Play.now, tokens: tokens, pubSubTokens: tokens)
        var brought = 0
        for damage in answers.all where damage.path != [] || damage.bytes.count % 29 == 0 {
            answers.report(damage)
            // A client for each: a store that only ever answers nonsense is left alone.
            let client = Play.client(attempts: 1)
            guard let batch = try await Self.firstPart(of: store, through: client) else { continue }
            brought += 1
            let place = "\(damage.path) as \(damage.stranger)"
            if !damage.changes(["receivedMessages", "0", "ackId"]) {
                #expect(batch.acknowledgements == [Secret("ack-1")], "\(place)")
            }
            if !damage.changes(["receivedMessages", "0", "message", "data"]) {
                #expect(batch.notifications.first?.payload.reveal().contains("AAAA") == true, "\(place)")
            }
        }
        #expect(brought > 40, "too few messages were brought to prove anything")
    }

    private static func firstPart(
        of store: any Store, through client: ThrottledClient
    ) async throws -> NotificationBatch? {
        var pull = try #require(store.pull(since: Play.now, until: Play.now, through: client))
        return try? await pull.next()
    }

    @Test func `B6: a damaged list of voided purchases reports its own purchases or none`() async throws {
        let page: Object = [
            "voidedPurchases": [
                [
                    "kind": "androidpublisher#voidedPurchase", "purchaseToken": "t1", "orderId": "O-1..3",
                    "purchaseTimeMillis": "1772323200000", "voidedTimeMillis": "1773140400000", "voidedSource": 0,
                    "voidedReason": 7,
                ] as Object, ["purchaseToken": "t2", "orderId": "O-2"] as Object,
            ]
        ]
        let answers = try DamagedAnswers(of: Self.bytes(page))
        let server = try PlayServer { _, _ in answers.answer }
        let store = try Play.store(Play.configuration(url: server.url))
        var reported = 0
        // Many of the cuts are alike.
        for damage in answers.all where damage.path != [] || damage.bytes.count % 29 == 0 {
            answers.report(damage)
            let events = try await store.events(since: nil, through: Play.client(attempts: 1))
            reported += events.items.count
            guard damage.path.last != "purchaseToken" else { continue }
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(events.items.allSatisfy { ["t1", "t2"].contains($0.storeKey.reveal()) }, "\(place)")
            // What cannot be read is looked at again: the mark stays where it was.
            if damage.path == [] { #expect(events.readUntil == nil && events.items.isEmpty, "\(place)") }
        }
        #expect(reported > 150, "too few purchases were told to prove anything")
    }

    @Test func `B3: a damaged batch of orders gives each purchase its own orders or none`() async throws {
        let other = Play.order("O-2", ["purchaseToken": "token-2"])
        let answers = try DamagedAnswers(of: Self.bytes(["orders": [Play.order(), other]]))
        let purchase: LoopbackServer.Answer = .init(200, Play.json(Play.subscription()))
        let server = try PlayServer { request, _ in
            request.path.contains("orders:batchGet") ? answers.answer : purchase
        }
        var taken = 0
        // Each member and each cut would be thousands of nights: every seventh of them.
        for (number, damage) in answers.all.enumerated() where number % 7 == 0 {
            answers.report(damage)
            guard let result = try await server.ask([Play.due()]).first, let answer = try? result.get(),
                let reading = try? Play.store().read(answer)
            else { continue }
            taken += reading.periods.count
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(reading.periods.allSatisfy { $0.originalTransactionID == Play.base }, "\(place)")
        }
        #expect(taken > 60, "too few orders were taken to prove anything")
    }

    /// All its members at once, as the documents list them.
    private static let older: Object = [
        "kind": "androidpublisher#subscriptionPurchase", "startTimeMillis": "1772323200000",
        "expiryTimeMillis": "1775001600000", "autoRenewing": true, "priceCurrencyCode": "EUR",
        "priceAmountMicros": "9990000", "countryCode": "DE", "paymentState": 1, "orderId": Play.base, "purchaseType": 0,
        "linkedPurchaseToken": "token-0", "acknowledgementState": 1,
        "introductoryPriceInfo": [
            "introductoryPriceCurrencyCode": "EUR", "introductoryPriceAmountMicros": "990000",
            "introductoryPricePeriod": "P1M", "introductoryPriceCycles": 1,
        ] as Object,
    ]

    @Test func `B3: a damaged purchase of the older interface says only what its members still say`() throws {
        let store = try Play.store(Play.configuration(api: .v1))
        func read(_ bytes: [UInt8]) -> Reading? {
            try? store.read(
                StoreAnswer(
                    inquiry: Inquiry(subscriptions: [Play.due()]), environment: .production,
                    documents: [StoreAnswer.Document(endpoint: "subscription", body: bytes)], answeredAt: Play.now))
        }
        let whole = try #require(read(Self.bytes(Self.older))?.periods.first)
        #expect(whole.priceMicros == 990_000)
        var taken = 0
        for damage in try DamagedAnswers(of: Self.bytes(Self.older)).all {
            guard let reading = read(damage.bytes), damage.path != [] else { continue }
            let place = "\(damage.path) as \(damage.stranger)"
            if !damage.changes(["paymentState"]), !damage.changes(["expiryTimeMillis"]) {
                #expect(reading.status?.state == .active, "\(place)")
            }
            if !damage.changes(["linkedPurchaseToken"]) {
                #expect(reading.observations.first?.linkedTo == Secret("token-0"), "\(place)")
            }
            guard let found = reading.periods.first else { continue }
            taken += 1
            if !damage.changes(["startTimeMillis"]) { #expect(found.start == whole.start, "\(place)") }
            if !damage.changes(["expiryTimeMillis"]) { #expect(found.end == whole.end, "\(place)") }
            if !damage.changes(["orderId"]) { #expect(found.transactionID == whole.transactionID, "\(place)") }
            let priced = ["introductoryPriceInfo", "orderId", "paymentState", "priceAmountMicros", "priceCurrencyCode"]
            if !priced.contains(damage.path[0]) { #expect(found.priceMicros == whole.priceMicros, "\(place)") }
        }
        #expect(taken > 150, "too few purchases could be read to prove anything")
    }

    @Test func `A5: damaged purchase data name the purchase they still name, or none`() throws {
        func read(_ bytes: [UInt8]) -> PurchaseData? {
            PurchaseData(json: bytes)
        }
        let sample = try Self.fixture("google_in_app_purchase_data")
        let whole = try #require(read(sample))
        #expect(whole.orderID == "GPA.1111-1111-1111-11111" && whole.packageName == "jp.example.app")
        var taken = 0
        for damage in try DamagedAnswers(of: sample).all {
            guard let found = read(damage.bytes) else { continue }
            taken += 1
            let place = "\(damage.path) as \(damage.stranger)"
            #expect(damage.path != [] || damage.bytes.count > sample.count - 3, "\(place)")
            if damage.path != ["purchaseToken"] { #expect(found.purchaseToken == whole.purchaseToken, "\(place)") }
            if damage.path != ["productId"] { #expect(found.productID == whole.productID, "\(place)") }
            if damage.path != ["packageName"] { #expect(found.packageName == whole.packageName, "\(place)") }
            if damage.path != ["orderId"] { #expect(found.orderID == whole.orderID, "\(place)") }
        }
        #expect(taken > 60)
    }

    @Test func `B9: a damaged token answer gives its own token or none`() throws {
        let sample = try Self.fixture("google_access_token_answer")
        func read(_ bytes: [UInt8]) -> TokenAnswer? {
            TokenAnswer(json: bytes)
        }
        let whole = try #require(read(sample))
        #expect(whole.expiresIn == 3_600 && whole.accessToken != nil)
        for damage in try DamagedAnswers(of: sample).all {
            guard let found = read(damage.bytes) else { continue }
            let place = "\(damage.path) as \(damage.stranger)"
            if damage.path != ["access_token"] { #expect(found.accessToken == whole.accessToken, "\(place)") }
            if damage.path != ["expires_in"] { #expect(found.expiresIn == whole.expiresIn, "\(place)") }
            #expect(found.error == nil)
        }
    }
}
