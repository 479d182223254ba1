// SPDX-License-Identifier: Apache-2.0

import Foundation
import Load
import Model
import Stores
import TestSupport
import Testing
import Transform

@testable import GooglePlay

/// One-time products: their tokens, their orders, and one-time lines of any order.
///
/// androidpublisher v3, revision 20261026: ProductPurchaseV2, OneTimePurchaseDetails, VoidedPurchase.
@Suite(.hangLimit) struct SaleTests {
    private static func product(_ state: String = "PURCHASED", _ changes: [String: (any Sendable)?] = [:]) -> Object {
        Play.changed(
            [
                "kind": "androidpublisher#productPurchaseV2", "orderId": Play.base, "regionCode": "DE",
                "purchaseCompletionTime": "2026-03-01T00:00:02Z",
                "acknowledgementState": "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",
                "purchaseStateContext": ["purchaseState": state] as Object,
                "productLineItem": [
                    [
                        "productId": "coins",
                        "productOfferDetails": ["quantity": 3, "refundableQuantity": 3] as Object,
                    ] as Object
                ],
            ], changes)
    }

    private static let line: Object = [
        "productId": "coins", "total": Play.euros(9, cents: 99), "tax": Play.euros(1, cents: 60),
        "oneTimePurchaseDetails": ["quantity": 3, "purchaseOptionId": "buy", "offerId": "spring"] as Object,
    ]

    private static func order(_ changes: [String: (any Sendable)?] = [:], state: String = "PROCESSED") -> Object {
        Play.order(state: state, (["lineItems": [line]] as [String: (any Sendable)?]).merging(changes) { $1 })
    }

    private static let unasked = Play.due(product: nil, snapshot: nil)

    /// A store that knows `token-1` as a one-time purchase alone.
    private static func store(_ product: Object, _ orders: [Object]) throws -> PlayServer {
        let known = Dictionary(uniqueKeysWithValues: orders.map { ($0["orderId"] as? String ?? "", $0) })
        return try PlayServer { request, _ in
            if request.path.contains("orders:batchGet") { return PlayServer.batch(request, of: known) }
            guard request.path.hasSuffix("/purchases/productsv2/tokens/token-1") else {
                return PlayServer.refusal(404, "notFound")
            }
            return .init(200, Play.json(product))
        }
    }

    private static func reading(
        _ product: Object, orders: [Object] = [order()], due: DueSubscription = unasked
    ) async throws -> Reading {
        let server = try store(product, orders)
        return try Play.store().read(try #require(try await server.ask([due]).first).get())
    }

    @Test func `a token that is no subscription's is asked about as a one-time purchase, and its order for the money`()
        async throws
    {
        let server = try Self.store(Self.product(), [Self.order()])
        let answer = try #require(try await server.ask([Self.unasked]).first).get()
        #expect(
            server.paths == [
                "/purchases/subscriptionsv2/tokens/token-1", "/purchases/productsv2/tokens/token-1",
                "/orders:batchGet?orderIds=\(Play.base)",
            ])
        let reading = try Play.store().read(answer)
        #expect(reading.soldOnce == [Secret("token-1")])
        #expect(reading.unknownValues.isEmpty && reading.setAside.isEmpty)
        let sale = try #require(reading.observations.first)
        #expect(reading.observations.count == 1)
        #expect(sale.storeKey == Secret(Play.base) && sale.askedWith == Secret("token-1"))
        #expect(sale.environment == .production && sale.status == nil)
        #expect(
            sale.periods == [
                ObservedPeriod(
                    PeriodFacts(
                        transactionID: Play.base, periodKey: Play.base, productID: "coins",
                        purchasedAt: Play.time("2026-03-01T00:00:02.123456Z"),
                        start: Play.time("2026-03-01T00:00:02.123456Z"), end: nil, offerID: "spring", country: "AT",
                        priceMicros: 9_990_000, currency: "EUR", proceedsMicros: 7_130_000),
                    SaleFacts(
                        originalTransactionID: Play.base, quantity: 3, priceSource: .storeOrder, taxMicros: 1_600_000,
                        sourceVersion: Play.now), isAutoRenewable: false, hint: .purchase)
            ])
    }

    @Test func `a token that neither knows is not found, and a known subscription's is not asked about twice`()
        async throws
    {
        let nowhere = try PlayServer { _, _ in PlayServer.refusal(404, "notFound") }
        #expect(try await nowhere.ask([Self.unasked]).first?.failure?.kind == .notFound)
        #expect(nowhere.paths.count == 2)
        let known = try PlayServer { _, _ in PlayServer.refusal(404, "notFound") }
        #expect(try await known.ask([Play.due(known: [Play.known()])]).first?.failure?.kind == .notFound)
        #expect(known.paths.count == 1)
    }

    @Test func `a store that cannot answer for one-time purchases just now says nothing of the token`() async throws {
        let server = try PlayServer { request, _ in
            request.path.contains("productsv2") ? .init(503, "") : PlayServer.refusal(404, "notFound")
        }
        #expect(try await server.ask([Self.unasked]).first?.failure?.kind == .transient)
    }

    @Test func `what awaits its payment is pending, and asked about again as what it is`() async throws {
        let reading = try await Self.reading(
            Self.product("PENDING", ["purchaseCompletionTime": nil]), orders: [Self.order(state: "PENDING")])
        #expect(reading.soldOnce.isEmpty)
        #expect(reading.observations.map(\.storeKey) == [Secret("token-1")])
        #expect(reading.status?.state == .pending && reading.status?.productID == "coins")
        let later = Play.due(
            product: nil, snapshot: SubscriptionSnapshot(state: .pending, lastCheckedAt: Play.now - .days(1)))
        #expect(try await Self.reading(Self.product(), due: later).soldOnce == [Secret("token-1")])
    }

    @Test func `an unknown word is counted and asked about again; what was never paid for is dropped`() async throws {
        let strange = try await Self.reading(Self.product("DREAMING"), orders: [])
        #expect(strange.status?.state == nil && strange.status?.raw == "DREAMING")
        #expect(strange.unknownValues["product.purchaseState=DREAMING"] == 1)
        let cancelled = try await Self.reading(Self.product("CANCELLED"), orders: [Self.order(state: "CANCELED")])
        #expect(cancelled.observations.isEmpty && cancelled.soldOnce == [Secret("token-1")])
    }

    /// Bought, and its order not settled yet, or not returned: only its money waits, under the token.
    @Test(arguments: ["PENDING", nil])
    func `what is bought is not dropped while its order is not settled`(order state: String?) async throws {
        let reading = try await Self.reading(Self.product(), orders: state.map { [Self.order(state: $0)] } ?? [])
        #expect(reading.soldOnce.isEmpty && reading.periods.isEmpty && reading.setAside.isEmpty)
        #expect(reading.status?.state == .pending && reading.status?.productID == "coins")
        let bought = try #require(reading.observations.first)
        #expect(bought.storeKey == Secret("token-1") && bought.isBoughtUnsettled)
        #expect(bought.unsettled == [UnsettledOrder(id: Play.base)])
        // What was cancelled is never booked.
        let cancelled = try await Self.reading(Self.product(), orders: [Self.order(state: "CANCELED")])
        #expect(cancelled.observations.isEmpty && cancelled.soldOnce == [Secret("token-1")])
    }

    @Test func `B6: one that was given back has its refund, also in part`() async throws {
        let given = try await Self.reading(Self.product("CANCELLED"), orders: [Self.order(state: "REFUNDED")])
        #expect(given.periods.map { $0.refund?.kind } == [.full])
        #expect(given.periods.map { $0.refund?.micros } == [9_990_000])
        // One of three coins.
        let part: Object = [
            "processTime": "2026-03-05T00:00:00Z", "state": "PROCESSED_SUCCESSFULLY",
            "refundDetails": ["total": Play.euros(3, cents: 33)] as Object,
        ]
        let partly = try await Self.reading(
            Self.product(),
            orders: [
                Self.order(["orderHistory": ["partialRefundEvents": [part]] as Object], state: "PARTIALLY_REFUNDED")
            ]
        )
        #expect(partly.periods.map { $0.refund?.micros } == [3_330_000])
    }

    @Test func `A6: a test purchase is of the sandbox; without its order its price is unknown`() async throws {
        let reading = try await Self.reading(
            Self.product("PURCHASED", ["testPurchaseContext": ["fopType": "TEST"] as Object]), orders: [])
        #expect(reading.observations.map(\.environment) == [.sandbox])
        #expect(reading.periods.map(\.priceMicros) == [nil])
        #expect(reading.periods.map(\.priceSource) == [.missing])
        #expect(reading.unknownValues == ["order unknown to the store": 1])
    }

    /// Redeemed with a code: the store keeps no order of it, and without one there is no id to book it under.
    @Test func `a purchase without an order is counted, books nothing, and is followed no more`() async throws {
        let server = try Self.store(Self.product("PURCHASED", ["orderId": nil]), [Self.order()])
        let reading = try Play.store().read(try #require(try await server.ask([Self.unasked]).first).get())
        #expect(
            server.paths == [
                "/purchases/subscriptionsv2/tokens/token-1", "/purchases/productsv2/tokens/token-1",
            ])
        #expect(reading.observations.isEmpty && reading.setAside.isEmpty)
        #expect(reading.soldOnce == [Secret("token-1")])
        #expect(reading.unknownValues == ["product without an order": 1])
    }

    @Test func `B7: a one-time line of a subscription's order is a sale, and no period of it`() throws {
        let order = Play.order([
            "total": Play.euros(19, cents: 98), "lineItems": [Play.line(), Self.line],
            "developerRevenueInBuyerCurrency": nil,
        ])
        let reading = try Play.read(Play.subscription(), orders: [order])
        #expect(reading.periods.map(\.isAutoRenewable).sorted { $0 && !$1 } == [true, false])
        #expect(reading.unknownValues.isEmpty)
        // It says nothing about the state of the purchase.
        #expect(reading.status?.expiresAt == Play.time("2026-04-01T00:00:00Z"))
    }

    /// Booked under the key of its order, with no row among the subscriptions.
    @Test func `a sale's row is stored under its order, and its token is followed no more`() async throws {
        let server = try Self.store(Self.product(), [Self.order()])
        let answer = try #require(try await server.ask([Self.unasked]).first).get()
        var rows = ChunkRows()
        let store = try Play.store()
        TransformStage(store: store, now: Play.now, defaultCountry: nil)
            .rows(for: ReadAnswer(answer, by: store), into: &rows)
        rows.deduplicate()
        let key = SubscriptionKey(appID: Play.appID, storeKey: Play.base)
        #expect(rows.transactions.map(\.key) == [key])
        #expect(rows.transactions.map(\.kind) == [.oneTime])
        #expect(rows.transactions.map(\.end) == [nil])
        #expect(rows.placeholders == [Self.unasked.key])
        #expect(
            rows.subscriptions.isEmpty && rows.discoveries.isEmpty && rows.failures.isEmpty && rows.setAside.isEmpty)
    }
}
