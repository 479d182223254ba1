// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores
import TestSupport
import Testing
import Transform

@testable import GooglePlay

/// One-time sales that are looked at again: only their orders tell of a refund that left the purchase alone.
///
/// androidpublisher v3, revision 20261026: Order, orders.batchGet.
@Suite(.hangLimit) struct SoldOrderTests {
    private static func id(_ number: Int) -> String { "GPA.3300-1111-2222-\(30_000 + number)" }

    private static func sale(_ id: String = id(0), country: String? = "DE", failures: Int = 0) -> DueSubscription {
        let key = SubscriptionKey(appID: Play.appID, storeKey: id)
        let known = KnownPeriod(
            PeriodFacts(
                transactionID: id, periodKey: id, productID: "coins", purchasedAt: Play.time("2026-03-03T00:00:00Z"),
                start: Play.time("2026-03-03T00:00:00Z"), end: nil, country: country, priceMicros: 9_990_000,
                currency: "EUR"), kind: .oneTime)
        return DueSubscription(
            key: key, lineageKey: key, appID: Play.appID, storeKey: Secret(id), environment: .production,
            accountID: nil, productID: "coins", country: country,
            snapshot: SubscriptionSnapshot(lastFailedAt: Play.now - .days(1), failures: failures), historyCursor: nil,
            receipt: nil, known: [known], isSale: true)
    }

    private static func order(
        _ id: String = id(0), state: String = "PROCESSED", _ changes: [String: (any Sendable)?] = [:]
    ) -> Object {
        let line: Object = [
            "productId": "coins", "total": Play.euros(9, cents: 99), "tax": Play.euros(1, cents: 60),
            "oneTimePurchaseDetails": ["quantity": 3] as Object,
        ]
        return Play.order(
            id, state: state,
            [
                "lineItems": [line], "buyerAddress": nil,
                "orderHistory": ["processedEvent": ["eventTime": "2026-03-03T00:00:00Z"] as Object] as Object,
            ].merging(changes) { $1 })
    }

    private static func rows(_ orders: [Object], of due: DueSubscription = sale()) throws -> ChunkRows {
        let store = try Play.store()
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production,
            documents: orders.map { Play.document("order", $0) }, answeredAt: Play.now)
        var rows = ChunkRows(asked: [due])
        TransformStage(store: store, now: Play.now, defaultCountry: nil)
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        return rows
    }

    @Test func `sales are asked for by their orders alone, a hundred in a request`() async throws {
        let orders = Dictionary(uniqueKeysWithValues: (0..<150).map { (Self.id($0), Self.order(Self.id($0))) })
        let server = try PlayServer { request, _ in PlayServer.batch(request, of: orders) }
        let answers = try await server.ask((0..<150).map { Self.sale(Self.id($0)) })
        #expect(server.paths.allSatisfy { $0.hasPrefix("/orders:batchGet?") } && server.paths.count == 2)
        for answer in answers {
            let reading = try Play.store().read(try answer.get())
            #expect(reading.observations.count == 1 && reading.status == nil && reading.unknownValues.isEmpty)
        }
    }

    /// The look is made again on the next nights, and what is the matter with the order is said once.
    @Test func `an order that is not what the store documents is set aside by its id`() throws {
        let due = Self.sale()
        let answer = StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production,
            documents: [StoreAnswer.Document(endpoint: "order", body: Array("{\"orderId\":".utf8))],
            answeredAt: Play.now)
        var rows = ChunkRows(asked: [due])
        TransformStage(store: try Play.store(), now: Play.now, defaultCountry: nil)
            .rows(for: ReadAnswer(answer, by: try Play.store()), into: &rows)
        #expect(rows.setAside.map(\.reason) == ["malformed_json"])
        #expect(rows.setAside.map(\.transactionID) == [Self.id(0)])
        #expect(rows.failedLooks.map(\.nextLookAt) == [Play.now + NextCheck.night])
    }

    /// Sold on 3 March, looked at on the tenth: the next looks are on 2 April and 2 May.
    @Test func `a sale that was not refunded is looked at again, and its country remains`() throws {
        let due = Self.sale()
        let rows = try Self.rows([Self.order()], of: due)
        #expect(rows.transactions.map(\.key) == [due.key] && rows.transactions.map(\.country) == ["DE"])
        #expect(rows.transactions.map(\.refundMicros) == [nil])
        let next = Play.time("2026-04-02T00:00:00Z")
        #expect(
            rows.looks[due.key]
                == SaleLook(key: due.key, soldAt: Play.time("2026-03-03T00:00:00Z"), nextLookAt: next, wasAsked: true))
        #expect(rows.subscriptions.isEmpty && rows.failures.isEmpty && rows.placeholders.isEmpty)
        #expect(rows.failedLooks.isEmpty && rows.setAside.isEmpty)
    }

    @Test func `a refund that left the purchase alone is booked, and a sale that was given back leaves the list`()
        throws
    {
        let refunded = try Self.rows([
            Self.order(
                state: "REFUNDED",
                [
                    "orderHistory": [
                        "processedEvent": ["eventTime": "2026-03-03T00:00:00Z"] as Object,
                        "refundEvent": [
                            "eventTime": "2026-03-09T08:00:00Z", "refundReason": "OTHER",
                            "refundDetails": ["total": Play.euros(9, cents: 99)] as Object,
                        ] as Object,
                    ] as Object
                ])
        ])
        let row = try #require(refunded.transactions.first)
        #expect(row.refundKind == .full && row.refundMicros == 9_990_000)
        #expect(row.refundedAt == Play.time("2026-03-09T08:00:00Z"))
        #expect(refunded.looks.values.map(\.nextLookAt) == [nil])
        // One of three units: a third of 9.99; the rest can still go back.
        let part: Object = [
            "processTime": "2026-03-05T00:00:00Z", "state": "PROCESSED_SUCCESSFULLY",
            "refundDetails": ["total": Play.euros(3, cents: 33)] as Object,
        ]
        let partly = try Self.rows([
            Self.order(state: "PARTIALLY_REFUNDED", ["orderHistory": ["partialRefundEvents": [part]] as Object])
        ])
        #expect(partly.transactions.map(\.refundMicros) == [3_330_000])
        #expect(partly.looks.values.map(\.nextLookAt) == [Play.time("2026-03-31T00:00:01Z")])
    }

    /// One that the store leaves out: 14 nights after the first, and then the look counts as made.
    @Test func `an order that is not returned is asked for again on the next nights`() throws {
        let missing = try Self.rows([])
        #expect(missing.transactions.isEmpty && missing.failures.isEmpty && missing.setAside.isEmpty)
        #expect(missing.failedLooks.map(\.nextLookAt) == [Play.now + .hours(18)])
        #expect(missing.failedLooks.map(\.failures) == [1] && missing.failedLooks.map(\.kind) == [.notFound])
        #expect(missing.unknownValues == ["order unknown to the store": 1])
        let again = try Self.rows([], of: Self.sale(failures: 13))
        #expect(again.failedLooks.map(\.failures) == [14])
        #expect(again.failedLooks.map(\.nextLookAt) == [Play.now + .hours(18)])
        let last = try Self.rows([], of: Self.sale(failures: 14))
        #expect(last.failedLooks.map(\.failures) == [0])
        #expect(last.failedLooks.map(\.nextLookAt) == [Play.time("2026-04-02T00:00:00Z")])
    }

    @Test func `a look that could not be made is made by the next run`() async throws {
        let server = try PlayServer { _, _ in .init(503, "") }
        let failure = try #require(try await server.ask([Self.sale()]).first?.failure)
        var rows = ChunkRows()
        TransformStage(store: try Play.store(), now: Play.now, defaultCountry: nil)
            .failure(failure, of: Inquiry(subscriptions: [Self.sale()]), into: &rows)
        #expect(rows.failedLooks.map(\.nextLookAt) == [Play.now])
        #expect(rows.failures.isEmpty && rows.setAside.isEmpty)
    }
}
