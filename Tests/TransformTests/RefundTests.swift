// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite("Refunds and revocations")
struct RefundTests {
    private typealias Refund = ObservedPeriod.Refund

    @Test func `B6: a full refund of the current period ends the subscription at the revocation`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(
            day(12), status(.revoked, expires: 30, reason: .refund, revoked: 11, version: day(12)),
            period(0, refund: Refund(at: day(11), kind: .full)))
        #expect(books.transactions[0].refundMicros == 9_990_000)
        #expect(books.transactions[0].refundedAt == day(11))
        #expect(books.transactions[0].refundKind == .full)
        #expect(books.transactions[0].refundSource == .storeAmount)
        #expect(books.snapshot.state == .revoked)
        #expect(books.snapshot.endReason == .refund)
        #expect(books.snapshot.endedAt == day(11))
        #expect(books.occurredAt == day(11))
        #expect(books.nextCheck == NextCheck(at: nil, reason: .never))
    }

    @Test func `B6: a refund of an older period moves money only`() {
        var books = Books()
        books.book([period(0), period(30)], status(.active, expires: 60, version: day(31)), now: day(31))
        books.night(
            day(41), status(.active, expires: 60, version: day(41)),
            period(0, refund: Refund(at: day(40), kind: .full)), period(30))
        #expect(books.transactions.map(\.refundMicros) == [9_990_000, nil])
        #expect(books.kinds == [.purchase, .renewal])
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.endedAt == nil)
    }

    @Test(arguments: [(40_000, 4_000_000), (33_333, 3_330_000), (25_075, 2_500_000)] as [(Int64, Int64)])
    func `a partial refund is the store's share of the price, half up to the cent, and called derived`(
        share: Int64, expected: Int64
    ) {
        // 9.99 × 40 % = 3.996, × 33.333 % = 3.3299667, × 25.075 % = 2.5049925.
        let refund = Refund(at: day(5), kind: .partial, thousandthsOfPercent: share)
        let row = rows(reading(observation([period(0, refund: refund)])), now: day(6)).transactions.first
        #expect(row?.refundMicros == expected)
        #expect(row?.refundKind == .partial)
        #expect(row?.refundSource == .derived)
    }

    @Test func `the store's amount comes before its share`() {
        let refund = Refund(at: day(5), kind: .partial, thousandthsOfPercent: 50_000, micros: 1_230_000)
        let row = rows(reading(observation([period(0, refund: refund)])), now: day(6)).transactions.first
        #expect(row?.refundMicros == 1_230_000)
        #expect(row?.refundSource == .storeAmount)
    }

    /// The App Store takes refunds back: what was given back is looked at once more, from the history's beginning.
    @Test(arguments: [(.appStore, 60), (.googlePlay, nil)] as [(StoreKind, Int64?)])
    func `B6: a charge that was given back is looked at the last time`(store: StoreKind, days: Int64?) {
        var books = Books()
        (books.watch, books.kind) = ([30, 60], store)
        books.night(
            day(5), status(.revoked, expires: 30, reason: .refund, revoked: 4, version: day(5)),
            period(0, refund: ObservedPeriod.Refund(at: day(4), kind: .full), version: day(5)))
        #expect(books.nextCheck?.at == days.map { day($0) })
        #expect(books.nextCheck?.reason == (days == nil ? .never : .refundWatch))
    }

    @Test func `B6: a reversed refund clears every column of it`() {
        var books = Books()
        books.night(
            day(12), status(.revoked, expires: 30, reason: .refund, revoked: 11, version: day(12)),
            period(0, refund: Refund(at: day(11), kind: .full)))
        books.night(day(20), status(.active, expires: 30, version: day(20)), period(0))
        #expect(books.transactions[0].refundedAt == nil)
        #expect(books.transactions[0].refundKind == nil)
        #expect(books.transactions[0].refundMicros == nil)
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.endReason == nil)
        #expect(books.snapshot.endedAt == nil)
    }

    @Test func `B7: a family revocation books no money and is no refund`() {
        var shared = period(0, refund: Refund(at: day(9), kind: .revoke))
        shared.sale.ownership = .familyShared
        var books = Books()
        books.night(day(10), status(.revoked, expires: 30, revoked: 9, version: day(10)), shared)
        #expect(books.transactions[0].refundKind == .revoke)
        #expect(books.transactions[0].refundMicros == nil)
        #expect(books.transactions[0].ownership == .familyShared)
        #expect(books.snapshot.endReason == .revoke)
    }

    @Test func `a refund of an unknown price is unknown, not nothing`() {
        let refund = Refund(at: day(5), kind: .full)
        let row = rows(reading(observation([period(0, price: nil, refund: refund)])), now: day(6)).transactions.first
        #expect(row?.refundKind == .full)
        #expect(row?.refundMicros == nil)
    }

    @Test func `a refund wins over what the store calls the end`() {
        var books = Books()
        books.night(
            day(31), status(.expired, expires: 30, reason: .voluntary, revoked: 20, version: day(31)),
            period(0, refund: Refund(at: day(20), kind: .full)))
        #expect(books.snapshot.state == .revoked)
        #expect(books.snapshot.endReason == .refund)
        #expect(books.snapshot.endedAt == day(20))
    }

    @Test func `a revocation after the expiry leaves the end at the expiry`() {
        var books = Books()
        books.night(
            day(50), status(.revoked, expires: 30, reason: .refund, revoked: 45, version: day(50)),
            period(0, refund: Refund(at: day(45), kind: .full)))
        #expect(books.snapshot.endedAt == day(30))
    }

    @Test func `bought again after a refund, even before the old expiry, is a resubscribe`() {
        let refunded = period(0, refund: Refund(at: day(10), kind: .full))
        let again = rows(reading(observation([refunded, period(15)])), now: day(16)).transactions
        #expect(again.map(\.kind) == [.purchase, .resubscribe])
        let onTime = rows(reading(observation([refunded, period(30, hint: .renewal)])), now: day(31)).transactions
        #expect(onTime.map(\.kind) == [.purchase, .renewal], "the store says so")
    }

    /// A receipt does not say why a row came to be.
    ///
    /// The effective end is the revocation, whatever end the row states.
    @Test(
        arguments: [.full, .partial, .revoke] as [RefundKind],
        [(30, .zero), (29, .hours(2)), (30, .hours(23))] as [(Int64, Span)])
    func `bought about when the refunded period would have ended is a resubscribe where the store does not say`(
        kind: RefundKind, start: (day: Int64, more: Span)
    ) {
        let refunded = period(0, refund: Refund(at: day(10), kind: kind))
        let next = period(start.day, after: start.more)
        let booked = rows(reading(observation([refunded, next])), now: day(32)).transactions
        #expect(booked.map(\.kind) == [.purchase, .resubscribe])
    }

    @Test func `taken back within a day of its successor's start, or after it, is no lapse`() {
        for refundedAt in [day(29, .hours(1)), day(30, .hours(1))] {
            let refunded = period(0, refund: Refund(at: refundedAt, kind: .full))
            let booked = rows(reading(observation([refunded, period(30)])), now: day(31)).transactions
            #expect(booked.map(\.kind) == [.purchase, .renewal])
        }
    }

    /// Its state decides its end.
    @Test func `Google Play's refund alone ends no period: what follows on its stated end is a renewal`() {
        var books = Books()
        books.kind = .googlePlay
        books.book([period(0, refund: Refund(at: day(10), kind: .full)), period(30)], nil, now: day(31))
        #expect(books.kinds == [.purchase, .renewal])
    }

    @Test func `charges are looked at again after 30 and 60 days, ended subscriptions too`() {
        var books = Books()
        books.watch = [30, 60]
        books.night(day(0), status(.active, expires: 30, autoRenew: false, version: day(0)), period(0))
        #expect(books.nextCheck == NextCheck(at: day(30), reason: .refundWatch))
        books.night(
            day(31), status(.expired, expires: 30, reason: .voluntary, version: day(31)), period(0),
            wantsHistory: true)
        #expect(books.nextCheck == NextCheck(at: day(60), reason: .refundWatch))
        books.night(
            day(61), status(.expired, expires: 30, reason: .voluntary, version: day(61)), wantsHistory: true)
        #expect(books.nextCheck == NextCheck(at: nil, reason: .never))
    }

    @Test func `a running subscription is asked at the earlier of its check and its watch`() {
        var books = Books()
        books.watch = [30, 60]
        books.night(day(0), status(.active, expires: 365, version: day(0)), period(0, days: 365))
        #expect(books.nextCheck == NextCheck(at: day(30), reason: .refundWatch))
        books.night(day(62), status(.active, expires: 365, version: day(62)), wantsHistory: true)
        #expect(books.nextCheck == NextCheck(at: day(364), reason: .beforeExpiry))
    }

    @Test func `a watch that fell due while the history was not read is still to come`() {
        var books = Books()
        books.watch = [30]
        books.night(day(0), status(.active, expires: 365, version: day(0)), period(0, days: 365))
        books.night(day(31), status(.active, expires: 365, version: day(31)))
        #expect(books.nextCheck == NextCheck(at: day(30), reason: .refundWatch))
    }

    @Test func `trials, zero prices and family-shared charges are not watched, refunded ones the last time`() {
        func next(_ period: ObservedPeriod) -> NextCheck.Reason? {
            var books = Books()
            books.watch = [30, 60]
            books.night(day(31), status(.expired, expires: 30, version: day(31)), period)
            return books.nextCheck?.reason
        }
        var shared = period(0)
        shared.sale.ownership = .familyShared
        #expect(next(trial(0)) == .never)
        #expect(next(period(0, price: 0)) == .never)
        #expect(next(period(0, refund: Refund(at: day(3), kind: .full))) == .refundWatch)
        #expect(next(shared) == .never)
        #expect(next(period(0, price: nil)) == .refundWatch)
    }

    @Test func `what was paid before a bundle included it is watched all the same`() {
        var books = Books()
        books.watch = [60]
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(31), status(.expired, expires: 60, version: day(31)), included(30))
        #expect(books.nextCheck == NextCheck(at: day(60), reason: .refundWatch))
        var bundled = Books()
        bundled.watch = [60]
        bundled.night(day(0), status(.active, expires: 30, version: day(0)), included(0))
        bundled.night(day(31), status(.expired, expires: 30, version: day(31)))
        #expect(bundled.nextCheck?.reason == .never)
    }
}
