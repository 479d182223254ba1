// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

/// When an order that is not settled is asked for again.
///
/// RULINGS §6: the latest on 14 nights; one between others on the next night and 7, 30 and 60 days after the charge
/// that follows it.
@Suite struct AwaitedOrderTests {
    private static let watch: [Int64] = [7, 30, 60]
    /// As long as a year: its own check and the refund watch of its charge are far off.
    private static let snapshot = SubscriptionSnapshot(
        state: .active, autoRenew: true, expiresAt: day(365), lastCheckedAt: day(-1))

    private static func rows(
        _ unsettled: [UnsettledOrder], awaited: [AwaitedOrder] = [], at now: Instant, state: SubscriptionState = .active
    ) -> ChunkRows {
        let observation = Observation(
            storeKey: line, environment: .production, status: status(state, expires: 365, version: now), periods: [],
            unsettled: unsettled)
        let asked = DueSubscription(
            key: lineKey, lineageKey: lineKey, appID: app, storeKey: line, environment: .production, accountID: nil,
            productID: nil, country: nil, snapshot: snapshot, historyCursor: nil, receipt: nil, known: [],
            awaited: awaited)
        return TransformTests.rows(
            reading(observation), for: [asked], now: now, watch: watch, kind: .googlePlay)
    }

    private static func awaited(_ nights: Int, at instant: Instant) -> AwaitedOrder {
        AwaitedOrder(id: "B..0", lastAskedAt: instant, nights: nights)
    }

    /// The next order was charged on day 10: looks on days 17, 40 and 70.
    @Test(
        arguments: [
            // First seen missing: the next night.
            (nil, 10, 1, NextCheck(at: day(10) + .hours(18), reason: .nightly)),
            (awaited(0, at: day(10)), 11, 1, NextCheck(at: day(17), reason: .refundWatch)),
            (awaited(1, at: day(11)), 17, 1, NextCheck(at: day(40), reason: .refundWatch)),
            (awaited(2, at: day(17)), 40, 1, NextCheck(at: day(70), reason: .refundWatch)),
            // Declined, or lost.
            (awaited(3, at: day(40)), 70, 0, NextCheck(at: day(365), reason: .atExpiry)),
            // Found missing long after: the next night alone.
            (nil, 200, 1, NextCheck(at: day(200) + .hours(18), reason: .nightly)),
            (awaited(0, at: day(200)), 201, 0, NextCheck(at: day(365), reason: .atExpiry)),
        ] as [(AwaitedOrder?, Int64, Int, NextCheck)])
    func `one between others is asked for with the refund watch, then counts as declined`(
        before: AwaitedOrder?, night: Int64, left: Int, next: NextCheck
    ) {
        let order = UnsettledOrder(id: "B..0", followedAt: day(10))
        let rows = Self.rows([order], awaited: before.map { [$0] } ?? [], at: day(night))
        #expect(rows.awaited[lineKey]?.count == left)
        #expect(rows.subscriptions.first?.nextCheck == next)
        #expect(rows.unknownValues["order declined or lost"] == (left == 0 ? 1 : nil))
        #expect(rows.setAside.isEmpty)
    }

    @Test func `the latest is asked for on fourteen nights, and its letter names it`() {
        let order = UnsettledOrder(id: "B..0")
        let thirteenth = Self.rows([order], awaited: [Self.awaited(12, at: day(12))], at: day(13))
        #expect(thirteenth.awaited[lineKey] == [Self.awaited(13, at: day(13))] && thirteenth.setAside.isEmpty)
        #expect(thirteenth.subscriptions.first?.nextCheck == NextCheck(at: day(13) + .hours(18), reason: .nightly))
        // An hour later is the same night.
        let again = Self.rows([order], awaited: [Self.awaited(13, at: day(13))], at: day(13) + .hours(1))
        #expect(again.awaited[lineKey] == [Self.awaited(13, at: day(13))] && again.setAside.isEmpty)
        let last = Self.rows([order], awaited: [Self.awaited(13, at: day(13))], at: day(14))
        #expect(last.awaited[lineKey] == [Self.awaited(14, at: day(14))])
        #expect(last.setAside.map(\.transactionID) == ["B..0"] && last.setAside.map(\.key) == [lineKey])
        #expect(last.subscriptions.first?.nextCheck == NextCheck(at: day(365), reason: .atExpiry))
    }

    @Test func `what is settled is waited for no more, and who waits for nothing has no row`() {
        #expect(Self.rows([], awaited: [Self.awaited(3, at: day(3))], at: day(4)).awaited == [lineKey: []])
        #expect(Self.rows([], at: day(4)).awaited.isEmpty)
    }

    /// The night comes before whatever its state asks for, and not instead of what comes sooner.
    @Test func `in a grace it goes with the grace's own nights`() {
        let rows = Self.rows([UnsettledOrder(id: "B..0")], at: day(1), state: .grace)
        #expect(rows.subscriptions.first?.nextCheck == NextCheck(at: day(1) + .hours(18), reason: .nightly))
    }
}

/// One-time sales that are looked at again for refunds: the days are the store's, counted from the charge.
@Suite struct SaleLookTests {
    private static let sold = "300000000000001"
    private static let key = SubscriptionKey(appID: app, storeKey: sold)

    private static func sale(
        price: Int64? = 9_990_000, ownership: Ownership = .purchased, refund: ObservedPeriod.Refund? = nil,
        version: Instant = day(400)
    ) -> ObservedPeriod {
        ObservedPeriod(
            PeriodFacts(
                transactionID: sold, periodKey: sold, productID: "coins", purchasedAt: day(0), start: day(0), end: nil,
                priceMicros: price, currency: price == nil ? nil : "USD"),
            SaleFacts(
                originalTransactionID: sold, ownership: ownership, priceSource: price == nil ? .missing : .storePrice,
                sourceVersion: version),
            isAutoRenewable: false, refund: refund)
    }

    private static func asked(failures: Int = 0, receipt: Receipt? = nil) -> DueSubscription {
        DueSubscription(
            key: key, lineageKey: key, appID: app, storeKey: Secret(sold), environment: .production, accountID: nil,
            productID: nil, country: nil, snapshot: SubscriptionSnapshot(failures: failures), historyCursor: nil,
            receipt: receipt,
            known: [
                KnownPeriod(
                    PeriodFacts(
                        transactionID: sold, periodKey: sold, productID: "coins", purchasedAt: day(0), start: day(0),
                        end: nil), kind: .oneTime)
            ], isSale: true)
    }

    private static func look(
        _ sale: ObservedPeriod, at now: Instant, for subscriptions: [DueSubscription] = [due()],
        environment: PurchaseEnvironment = .production
    ) -> SaleLook? {
        let observation = Observation(
            storeKey: Secret(sold), environment: environment, status: nil, periods: [sale])
        return TransformTests.rows(reading(observation), for: subscriptions, now: now, watch: [30, 60]).looks[key]
    }

    @Test(arguments: [(0, 30), (29, 30), (30, 60), (59, 60), (60, nil), (90, nil)] as [(Int64, Int64?)])
    func `a sale is looked at 30 and 60 days after its charge`(now: Int64, next: Int64?) {
        #expect(Self.look(Self.sale(), at: day(now))?.nextLookAt == next.map { day($0) })
        #expect(Self.look(Self.sale(price: nil), at: day(now))?.nextLookAt == next.map { day($0) })
    }

    @Test func `what brought no money is not looked at, and what gave it all back once more, for its reversal`() {
        let whole = ObservedPeriod.Refund(at: day(3), kind: .full)
        let part = ObservedPeriod.Refund(at: day(3), kind: .partial, micros: 1_000_000)
        #expect(Self.look(Self.sale(price: 0), at: day(1))?.nextLookAt == nil)
        #expect(Self.look(Self.sale(ownership: .familyShared), at: day(1))?.nextLookAt == nil)
        #expect(Self.look(Self.sale(), at: day(1), environment: .sandbox)?.nextLookAt == nil)
        #expect(Self.look(Self.sale(refund: whole), at: day(4))?.nextLookAt == day(60))
        #expect(Self.look(Self.sale(refund: whole), at: day(61))?.nextLookAt == nil)
        #expect(Self.look(Self.sale(refund: part), at: day(4))?.nextLookAt == day(30))
    }

    /// It may be taken back yet, as a subscription's item may: all looks are still to come.
    @Test(arguments: [true, false])
    func `what is owned is looked at on all days, though its whole price was given back`(isMoneyOnly: Bool) {
        let refund = ObservedPeriod.Refund(
            at: day(3), kind: .full, micros: 9_990_000,
            parts: [RefundPart(at: day(3), micros: 9_990_000, isMoneyOnly: isMoneyOnly)], leavesPeriod: isMoneyOnly)
        #expect(Self.look(Self.sale(refund: refund), at: day(4))?.nextLookAt == day(isMoneyOnly ? 30 : 60))
        #expect(Self.look(Self.sale(refund: refund), at: day(31))?.nextLookAt == day(60))
    }

    /// What the app kept since the purchase says nothing of what became of it.
    @Test func `an old image is no look`() {
        #expect(Self.look(Self.sale(version: day(0)), at: day(45))?.nextLookAt == day(30))
        // What the store was asked about is as new as the answer.
        let look = Self.look(Self.sale(version: day(0)), at: day(45), for: [Self.asked()])
        #expect(look?.nextLookAt == day(60) && look?.wasAsked == true)
    }

    /// Used up, it is in no receipt any more.
    @Test func `a receipt without the sale was answered for all the same`() {
        let asked = Self.asked(receipt: Receipt(id: 7, data: Secret("r")))
        let rows = TransformTests.rows(reading(), for: [asked], now: day(31), watch: [30, 60])
        #expect(rows.looks[Self.key]?.nextLookAt == day(60) && rows.looks[Self.key]?.receiptID == 7)
        #expect(rows.failedLooks.isEmpty && rows.failures.isEmpty && rows.setAside.isEmpty)
    }

    @Test func `an answer without it is asked for again`() {
        let rows = TransformTests.rows(reading(), for: [Self.asked()], now: day(31), watch: [30, 60])
        #expect(rows.failedLooks.map(\.nextLookAt) == [day(31) + .hours(18)])
        #expect(rows.failures.isEmpty && rows.setAside.isEmpty && rows.placeholders.isEmpty)
    }
}
