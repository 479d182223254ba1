// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import StoreSimulator

/// What Google Play sells once: its own endpoint, notifications and voids, and rows without a subscription.
///
/// On paper.
@Suite struct PlaySaleTests {
    private static let bought = "2026-01-05T10:00:00Z"
    private static let back = "2026-01-09T10:00:00Z"

    /// Four units for 12.80 together, 2.04 of it tax; the developer gets 9.14.
    private static func coins(_ change: (inout PlayOrder) -> Void = { _ in }) -> PlayToken {
        var order = PlayPaper.order(nil, bought, bought, bought, product: .coins, total: 1_280, tax: 204, revenue: 914)
        order.quantity = 4
        change(&order)
        return PlayPaper.token("once-1", [order], [PlayPaper.moment(.active, bought, until: bought, order: order)]) {
            $0.isOneTime = true
        }
    }

    /// One unit of the four goes back: 3.20, with 0.51 of tax.
    private static func unitGivenBack() -> PlayToken {
        coins {
            let at = instant(back)
            $0.refunds = [
                .init(requestedAt: at, processedAt: at, micros: 3_200_000, taxMicros: 510_000, isWhole: false)
            ]
            $0.void = .init(at: at, seenAt: at, source: 1, reason: 1, quantity: 1)
        }
    }

    private static func allGivenBack() -> PlayToken {
        coins {
            $0.refund(at: instant(back), requestedAt: instant(back))
            $0.void = .init(at: instant(back), seenAt: instant(back), source: 1, reason: 1)
        }
    }

    private static func product(_ backend: PlayBackend, _ now: String) throws -> StoreResponse {
        try backend.product("once-1", PlayPaper.app, at: instant(now))
    }

    @Test func `B7: something sold once answers to its own endpoint, and subscriptions to theirs`() async throws {
        let month = PlayServer.month()
        let customers = [
            PlayCustomer(appID: month.appID, accountID: "a", market: .germany, tokens: [Self.coins()]), month,
        ]
        try await PlayServer.with(customers, clock: "2026-01-06T00:00:00Z") { door in
            let bearer = try await door.consent()
            let sale = try await door.get("purchases/productsv2/tokens/once-1", bearer: bearer)
            #expect(sale.status == 200)
            #expect(sale.object["orderId"] as? String == PlayPaper.base)
            #expect(try await door.get("purchases/subscriptionsv2/tokens/once-1", bearer: bearer).status == 404)
            let other = "purchases/productsv2/tokens/\(month.tokens[0].token)"
            #expect(try await door.get(other, bearer: bearer).status == 404)
            #expect(door.stores.quotas.counters.requests["products"] == 2)
        }
    }

    @Test func `B7: a sale is told in Google's words, with the units that can still be given back`() throws {
        let backend = PlayPaper.backend(Self.unitGivenBack())
        let early = try Self.product(backend, "2026-01-06T00:00:00Z").object
        #expect(early["kind"] as? String == "androidpublisher#productPurchaseV2")
        #expect((early["purchaseStateContext"] as? [String: String]) == ["purchaseState": "PURCHASED"])
        #expect(early["purchaseCompletionTime"] as? String == Self.bought)
        let line = { (answer: [String: Any]) -> [String: Any]? in
            (answer["productLineItem"] as? [[String: Any]])?.first
        }
        #expect(line(early)?["productId"] as? String == "com.acme.app.coins")
        let left = { (answer: [String: Any]) in
            (line(answer)?["productOfferDetails"] as? [String: Any])?["refundableQuantity"] as? Int
        }
        #expect(left(early) == 4)
        #expect(left(try Self.product(backend, "2026-01-10T00:00:00Z").object) == 3)
        let gone = try Self.product(PlayPaper.backend(Self.allGivenBack()), "2026-01-10T00:00:00Z").object
        #expect((gone["purchaseStateContext"] as? [String: String]) == ["purchaseState": "CANCELLED"])
        #expect(left(gone) == nil)
        let order = try backend.order(
            PlayPaper.base, PlayPaper.app, at: instant("2026-01-10T00:00:00Z"), isReported: false)
        let sold = (order.object["lineItems"] as? [[String: Any]])?.first
        #expect((sold?["oneTimePurchaseDetails"] as? [String: Any])?["quantity"] as? Int == 4)
        #expect(sold?["subscriptionDetails"] == nil)
        #expect(order.object["state"] as? String == "PARTIALLY_REFUNDED")
    }

    /// Given back and not taken away: bought it stays, and no list has it.
    ///
    /// Only the order tells.
    @Test func `B6: a refund that leaves a sale alone stands in its order and nowhere else`() throws {
        let token = Self.coins { $0.refund(at: instant(Self.back), requestedAt: instant(Self.back)) }
        let (backend, later) = (PlayPaper.backend(token), "2026-01-12T00:00:00Z")
        let product = try Self.product(backend, later).object
        #expect((product["purchaseStateContext"] as? [String: String]) == ["purchaseState": "PURCHASED"])
        let voided = try backend.voided(
            ["includeQuantityBasedPartialRefund": "true"], PlayPaper.app, at: instant(later)
        ).object
        #expect(voided["voidedPurchases"] == nil)
        #expect(!token.notifications.contains { if case .voided = $0.content { true } else { false } })
        let order = try backend.order(PlayPaper.base, PlayPaper.app, at: instant(later), isReported: false)
        #expect(order.object["state"] as? String == "REFUNDED")
        #expect(backend.books(at: later).playRows() == ["one_time 12800000/2040000/- full 12800000"])
    }

    /// Bought at ten; the order waits for its processing until the next afternoon.
    @Test func `what is bought may have an order that is not settled yet, or not to be had`() throws {
        let settled = "2026-01-06T16:00:00Z"
        let backend = PlayPaper.backend(Self.coins { $0.processedAt = instant(settled) })
        let early = "2026-01-05T12:00:00Z"
        let product = try Self.product(backend, early).object
        #expect((product["purchaseStateContext"] as? [String: String]) == ["purchaseState": "PURCHASED"])
        #expect(product["purchaseCompletionTime"] as? String == Self.bought)
        let order = { (backend: PlayBackend, at: String) in
            try backend.order(PlayPaper.base, PlayPaper.app, at: instant(at), isReported: true)
        }
        #expect(try order(backend, early).object["state"] as? String == "PENDING")
        #expect(backend.books(at: early).playRows(.disclosed) == [])
        #expect(try order(backend, settled).object["state"] as? String == "PROCESSED")
        #expect(backend.books(at: settled).playRows(.disclosed) == ["one_time 12800000/2040000/9140000"])
        let hidden = PlayPaper.backend(Self.coins { $0.hiddenUntil = instant(settled) })
        #expect(try order(hidden, early).status == 404)
        #expect(try order(hidden, settled).status == 200)
    }

    /// 12.80 with 2.04 and 9.14; a quarter of it back: 3.20, 0.51 and 2.285.
    @Test func `B7: a sale is a row under its order's id, and no subscription`() throws {
        let backend = PlayPaper.backend(Self.unitGivenBack())
        let books = backend.books(at: "2026-01-12T00:00:00Z")
        #expect(books.playRows() == ["one_time 12800000/2040000/9140000 partial 3200000"])
        let row = try #require(books.transactions(.happened).first)
        #expect(row.originalTransactionID == PlayPaper.base && row.periodEnd == row.periodStart)
        #expect(row.purchasedAt == instant(Self.bought) && row.basePlanID == nil)
        #expect(books.playStates() == [] && books.playChurn(through: "2026-01-11") == [])
        #expect(
            books.playRevenue(through: "2026-01-31") == [
                "2026-01-05 charges 1 12800000 refunds 0 0 tax 2040000 proceeds 9140000",
                "2026-01-09 charges 0 0 refunds 1 3200000 tax -510000 proceeds -2285000",
            ])
        #expect(books.metrics(.happened).subscribers(on: "2026-01-11") == [])
        #expect(backend.books(at: "2026-01-12T00:00:00Z").playRows(.disclosed) == [])
        _ = try backend.order(PlayPaper.base, PlayPaper.app, at: instant("2026-01-12T00:00:00Z"), isReported: true)
        #expect(backend.books(at: "2026-01-12T00:00:00Z").playRows(.disclosed) == books.playRows())
    }

    @Test func `B6: units that went back are in the list of voids only for who asks for them`() throws {
        let voided = { (token: PlayToken, query: [String: String]) -> [[String: Any]] in
            let answer = try PlayPaper.backend(token).voided(query, PlayPaper.app, at: instant("2026-01-12T00:00:00Z"))
            return answer.object["voidedPurchases"] as? [[String: Any]] ?? []
        }
        let units = "includeQuantityBasedPartialRefund"
        #expect(try voided(Self.unitGivenBack(), ["type": "1"]).isEmpty)
        #expect(try voided(Self.unitGivenBack(), [units: "true"]).map { $0["voidedQuantity"] as? Int } == [1])
        #expect(try voided(Self.allGivenBack(), ["type": "1"]).map { $0["voidedQuantity"] as? Int } == [nil])
        #expect(try voided(Self.allGivenBack(), [:]).map { $0["purchaseToken"] as? String } == ["once-1"])
    }

    @Test func `C3: a sale is published as one, and its voids as a sale's`() {
        let whole = PlayNotification.Content.voided(orderID: PlayPaper.base, isOneTime: true)
        let units = PlayNotification.Content.voided(orderID: PlayPaper.base, isOneTime: true, isOfUnits: true)
        let bought = PlayNotification.Content.oneTime(number: 1, product: .coins)
        #expect(Self.allGivenBack().notifications.map(\.content) == [bought, whole])
        #expect(Self.unitGivenBack().notifications.map(\.content) == [bought, units])
        var pending = Self.coins {
            ($0.processedAt, $0.revenueMicros, $0.canceledAt) = (nil, nil, instant(Self.back))
        }
        pending.moments[0].state = .pending
        pending.moments.append(PlayPaper.moment(.pendingCanceled, Self.back, until: Self.back))
        #expect(pending.notifications.map(\.content) == [.oneTime(number: 2, product: .coins)])
        #expect(PlayPaper.backend(pending).books(at: "2026-01-12T00:00:00Z").playRows() == [])
    }

    @Test func `the device hands in a sale as one that never renews`() throws {
        let handedIn = PlayPaper.backend(Self.coins()).registrations(
            since: .min, until: instant("2026-01-06T00:00:00Z"))
        #expect(handedIn.map(\.storeKey) == ["once-1"])
        #expect(handedIn.map(\.productID) == ["com.acme.app.coins"])
        #expect(handedIn.map(\.expiresAt) == [nil])
    }
}
