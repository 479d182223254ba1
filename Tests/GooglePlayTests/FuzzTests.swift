// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing

@testable import GooglePlay

/// Documents of Google Play, damaged: cut at every byte, and with every member left out, of another type or of another
/// value.
///
/// Nothing crashes, and a row says only what its own members still say.
@Suite struct FuzzTests {
    /// Given back in part.
    static let order = Play.order([
        "state": "PARTIALLY_REFUNDED",
        "orderHistory": [
            "processedEvent": ["eventTime": "2026-03-01T00:00:02Z"],
            "partialRefundEvents": [
                [
                    "createTime": "2026-03-05T00:00:00Z", "processTime": "2026-03-05T00:00:09Z",
                    "state": "PROCESSED_SUCCESSFULLY",
                    "refundDetails": ["total": Play.euros(1), "tax": Play.euros(0, cents: 16)] as Object,
                ] as Object
            ],
        ] as Object,
    ])

    /// Where each part of a row comes from.
    private static let places: [(name: String, place: [String], of: @Sendable (ObservedPeriod) -> String)] = [
        ("start", ["lineItems", "0", "subscriptionDetails", "servicePeriodStartTime"], { "\($0.start)" }),
        (
            "end", ["lineItems", "0", "subscriptionDetails", "servicePeriodEndTime"],
            { "\(String(describing: $0.end))" }
        ),
        ("purchase", ["orderHistory", "processedEvent", "eventTime"], { "\($0.purchasedAt)" }),
        ("price", ["lineItems", "0", "total"], { "\(String(describing: $0.priceMicros))" }),
        ("tax", ["lineItems", "0", "tax"], { "\(String(describing: $0.taxMicros))" }),
        ("product", ["lineItems", "0", "productId"], { $0.productID }),
        ("id", ["orderId"], { $0.transactionID }),
    ]

    @Test func `a damaged order says only what its members still say`() throws {
        let whole = try #require(try Self.periods(Self.bytes(Self.order)).first)
        #expect(whole.refund?.micros == 1_000_000)
        var taken = 0
        try DamagedJSON.forEach(of: Self.bytes(Self.order)) { damage in
            guard let found = try Self.periods(damage.bytes).first else { return }
            taken += 1
            for part in Self.places where !damage.changes(part.place) {
                // Tax belongs to the price's currency.
                if part.name == "tax", damage.changes(["lineItems", "0", "total"]) { continue }
                #expect(part.of(found) == part.of(whole), "\(part.name) of \(damage.path) as \(damage.stranger)")
            }
        }
        #expect(taken > 100, "too few orders could be read to prove anything")
    }

    @Test func `a cut order is set aside`() throws {
        let bytes = Self.bytes(Self.order)
        for length in bytes.indices {
            let found = try Self.periods(Array(bytes[..<length]))
            #expect(found.isEmpty, "cut after \(length) bytes")
        }
    }

    @Test func `a damaged purchase is refused or read, and never ends by a guess`() throws {
        try DamagedJSON.forEach(of: Self.bytes(Play.subscription())) { damage in
            let store = try Play.store()
            let documents = [StoreAnswer.Document(endpoint: "subscription", body: damage.bytes)]
            guard let reading = try? store.read(Self.answer(documents)), let status = reading.status else { return }
            let isChanged = damage.changes(["subscriptionState"]) || damage.changes(["lineItems"])
            #expect(isChanged || status.state == .active, "\(damage.path) as \(damage.stranger)")
        }
    }

    @Test func `the sample of the older interface, damaged`() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Fixtures/google_subscription_v1_sandbox", withExtension: "json"))
        let sample = Array(try Data(contentsOf: url))
        let at = Play.time("2018-12-11T08:10:00Z")
        var readings = 0
        func read(_ bytes: [UInt8]) throws {
            let store = try Play.store(Play.configuration(api: .v1), readAt: at)
            let documents = [StoreAnswer.Document(endpoint: "subscription", body: bytes)]
            guard let reading = try? store.read(Self.answer(documents)) else { return }
            readings += 1
            for period in reading.periods { #expect(period.end.map { $0 > period.start } == true) }
        }
        for length in sample.indices { try read(Array(sample[..<length])) }
        try DamagedJSON.forEach(of: sample) { try read($0.bytes) }
        #expect(readings > 30)
    }

    private static func bytes(_ object: Object) -> [UInt8] { Array(Play.json(object).utf8) }

    private static func answer(_ documents: [StoreAnswer.Document]) -> StoreAnswer {
        StoreAnswer(
            inquiry: Inquiry(subscriptions: [Play.due()]), environment: .production, documents: documents,
            answeredAt: Play.now)
    }

    /// The rows of an order beside a purchase that is whole.
    private static func periods(_ order: [UInt8]) throws -> [ObservedPeriod] {
        let documents = [
            Play.document("subscription", Play.subscription()), StoreAnswer.Document(endpoint: "order", body: order),
        ]
        return try Play.store().read(answer(documents)).periods
    }
}
