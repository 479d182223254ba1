// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite("Histories of one subscription")
struct HistoryTests {
    @Test func `B2: an unknown transaction with a later expiry is a renewal; the next check is a day before that`() {
        var books = Books()
        books.night(day(0, .hours(5)), status(.active, expires: 30, version: day(0, .hours(5))), period(0))
        #expect(books.nextCheck == NextCheck(at: day(29), reason: .beforeExpiry))
        books.night(day(30, .hours(5)), status(.active, expires: 60, version: day(30, .hours(5))), period(30))
        #expect(books.kinds == [.purchase, .renewal])
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.expiresAt == day(60))
        #expect(books.occurredAt == day(30))
        #expect(books.nextCheck == NextCheck(at: day(59), reason: .beforeExpiry))
    }

    @Test func `B2: not renewed yet, but may still: asked at the expiry, nightly, every second night, then closed`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(29, .hours(6)), status(.active, expires: 30, version: day(29, .hours(6))), period(0))
        #expect(books.nextCheck == NextCheck(at: day(30), reason: .atExpiry))
        books.night(day(30, .hours(6)), status(.billingRetry, expires: 30, version: day(30, .hours(6))), period(0))
        #expect(books.snapshot.state == .billingRetry)
        #expect(books.occurredAt == day(30))
        #expect(books.nextCheck == NextCheck(at: day(30, .hours(24)), reason: .nightly))
        books.night(day(60), status(.billingRetry, expires: 30, version: day(60)), period(0))
        #expect(books.nextCheck == NextCheck(at: day(61, .hours(18)), reason: .everySecondNight))
        books.night(day(91), status(.billingRetry, expires: 30, version: day(91)), period(0))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endReason == .involuntary)
        #expect(books.snapshot.endedAt == day(30))
        #expect(books.nextCheck == NextCheck(at: nil, reason: .never))
    }

    @Test func `Play's account hold is ended by Play alone, however long it lasts`() {
        var books = Books()
        books.kind = .googlePlay
        books.night(day(200), status(.billingRetry, expires: 30, version: day(200)), period(0))
        #expect(books.snapshot.state == .billingRetry)
    }

    @Test func `B4: two minutes between expiry and purchase, or a renewal in the last day, are one subscription`() {
        var books = Books()
        books.book(
            [period(0), period(30, after: .minutes(2)), period(60, after: .hours(-20)), period(90, after: .hours(24))],
            status(.active, expires: 120, version: day(91)), now: day(92))
        #expect(books.kinds == [.purchase, .renewal, .renewal, .renewal])
        #expect(books.transactions[2].start == day(60, .hours(-20)))
        #expect(books.transactions[2].end == day(90))
    }

    @Test func `B4: a gap of more than 24 hours is a lapse`() {
        var books = Books()
        books.book([period(0), period(30, after: .hours(24))], nil, now: day(40))
        #expect(books.kinds == [.purchase, .renewal])
        var lapsed = Books()
        lapsed.book([period(0), period(31, after: .seconds(1))], nil, now: day(40))
        #expect(lapsed.kinds == [.purchase, .resubscribe])
    }

    @Test func `B5: renewal turned off and on again before the expiry leaves no trace in the line`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(
            day(10), status(.active, expires: 30, autoRenew: false, version: day(10)), period(0))
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.endReason == nil)
        #expect(books.nextCheck == NextCheck(at: day(30), reason: .atExpiry))
        #expect(books.occurredAt == day(10))
        books.night(day(30, .hours(1)), status(.active, expires: 60, version: day(30, .hours(1))), period(30))
        #expect(books.kinds == [.purchase, .renewal])
    }

    @Test func `bought again by hand before the expiry is no lapse, whatever reason the store gives`() {
        var books = Books()
        books.book([period(0), period(29, days: 31, hint: .purchase)], nil, now: day(40))
        #expect(books.kinds == [.purchase, .renewal])
    }

    @Test func `B5: lapsed and bought again months later under the same original id: reopened as a resubscribe`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0, hint: .purchase))
        books.night(
            day(31), status(.expired, expires: 30, reason: .voluntary, autoRenew: false, version: day(31)), period(0))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endReason == .voluntary)
        #expect(books.snapshot.endedAt == day(30))
        #expect(books.occurredAt == day(30))
        #expect(books.nextCheck == NextCheck(at: nil, reason: .never))
        books.night(
            day(150, .hours(1)), status(.active, expires: 180, version: day(150, .hours(1))),
            period(150, hint: .purchase))
        #expect(books.kinds == [.purchase, .resubscribe])
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.endReason == nil)
        #expect(books.snapshot.endedAt == nil)
    }

    @Test func `B5: the three histories read at once give what they gave night by night`() {
        let histories: [([ObservedPeriod], [TransactionKind])] = [
            ([period(0), period(30), period(60)], [.purchase, .renewal, .renewal]),
            ([period(0), period(30), period(60), period(200)], [.purchase, .renewal, .renewal, .resubscribe]),
            ([trial(0), period(7), period(100)], [.trial, .purchase, .resubscribe]),
        ]
        for (periods, kinds) in histories {
            var books = Books()
            books.book(periods, nil, now: day(300))
            #expect(books.kinds == kinds)
        }
    }

    @Test func `a trial's conversion is the first purchase, marked; a late one is no conversion`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 7, version: day(0)), trial(0))
        #expect(books.snapshot.state == .trial)
        #expect(books.kinds == [.trial])
        books.night(day(7), status(.active, expires: 37, version: day(7)), period(7, hint: .renewal))
        #expect(books.snapshot.state == .active)
        #expect(books.kinds == [.trial, .purchase])
        #expect(books.conversions == [false, true])

        var late = Books()
        late.book([trial(0), period(60)], nil, now: day(61))
        #expect(late.kinds == [.trial, .purchase])
        #expect(late.conversions == [false, false])
    }

    @Test func `a trial whose first payment came through retry, or that the store calls a renewal, is converted`() {
        var retried = Books()
        retried.night(day(0), status(.active, expires: 7, version: day(0)), trial(0))
        retried.night(day(8), status(.billingRetry, expires: 7, version: day(8)), trial(0))
        retried.night(day(12), status(.active, expires: 42, version: day(12)), period(12))
        #expect(retried.conversions == [false, true])
        // Asked again, or read with the whole history, it stays what it was.
        retried.book([trial(0), period(12)], status(.active, expires: 42, version: day(13)), now: day(13))
        #expect(retried.conversions == [false, true])

        var reported = Books()
        reported.book([trial(0), period(12, hint: .renewal)], nil, now: day(13))
        #expect(reported.conversions == [false, true])
    }

    @Test func `paid out of billing retry is a renewal, and stays one when the history is read again`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(31), status(.billingRetry, expires: 30, version: day(31)), period(0))
        books.night(day(45), status(.active, expires: 75, version: day(45)), period(45))
        #expect(books.kinds == [.purchase, .renewal])
        books.book([period(0), period(45)], status(.active, expires: 75, version: day(46)), now: day(46))
        #expect(books.kinds == [.purchase, .renewal])
        #expect(books.snapshot.state == .active)
    }

    @Test func `only the first period after the retry is excused by it`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(31), status(.billingRetry, expires: 30, version: day(31)), period(0))
        books.book([period(45), period(200)], status(.active, expires: 230, version: day(201)), now: day(201))
        #expect(books.kinds == [.purchase, .renewal, .resubscribe])
    }

    @Test func `paid within the grace: the billing date is unchanged and the grace is forgotten`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(31), status(.grace, expires: 30, grace: 46, version: day(31)), period(0))
        #expect(books.snapshot.state == .grace)
        #expect(books.snapshot.graceExpiresAt == day(46))
        #expect(books.occurredAt == day(30))
        #expect(books.nextCheck == NextCheck(at: day(31, .hours(18)), reason: .nightly))
        books.night(day(36), status(.active, expires: 60, version: day(36)), period(30))
        #expect(books.kinds == [.purchase, .renewal])
        #expect(books.snapshot.graceExpiresAt == nil)
        #expect(books.snapshot.expiresAt == day(60))
    }

    @Test func `a grace that was lost ends at its end, through the retry after it, and is not moved by asking again`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(31), status(.grace, expires: 30, grace: 46, version: day(31)), period(0))
        // The store no longer names the grace once it is over.
        books.night(day(47), status(.billingRetry, expires: 30, version: day(47)), period(0))
        #expect(books.snapshot.graceExpiresAt == day(46))
        #expect(books.occurredAt == day(46))
        books.night(day(74), status(.billingRetry, expires: 30, version: day(74)), period(0))
        #expect(books.nextCheck?.reason == .nightly)
        books.night(day(90), status(.expired, expires: 30, reason: .involuntary, version: day(90)), period(0))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endedAt == day(46))
        #expect(books.snapshot.endReason == .involuntary)
        #expect(books.occurredAt == day(46))
        books.night(day(120), status(.expired, expires: 30, reason: .involuntary, version: day(120)), period(0))
        #expect(books.snapshot.endedAt == day(46))
    }

    @Test func `a grace cut short by the store ended when the store called it over`() {
        var books = Books()
        books.night(day(31), status(.grace, expires: 30, grace: 46, version: day(31)), period(0))
        books.night(day(35), status(.expired, expires: 30, reason: .voluntary, version: day(35)), period(0))
        #expect(books.snapshot.endedAt == day(35))
    }

    @Test func `an earlier period that becomes known changes the place of those reported with it, and nothing else`() {
        var books = Books()
        books.night(day(40), nil, period(30))
        #expect(books.kinds == [.purchase])
        books.night(day(41), nil, period(0), period(30))
        #expect(books.kinds == [.purchase, .renewal])
    }

    @Test func `a zero price that is no free offer is booked by its place; the first paid period is a purchase too`() {
        var books = Books()
        books.book([period(0, price: 0), period(30, price: 0), period(60), period(90)], nil, now: day(91))
        #expect(books.kinds == [.purchase, .renewal, .purchase, .renewal])
        #expect(books.conversions == [false, false, false, false])
    }

    @Test func `a price that is not known counts as paid and stays unknown`() {
        var books = Books()
        books.book([period(0, price: nil), period(30)], nil, now: day(31))
        #expect(books.kinds == [.purchase, .renewal])
        #expect(books.transactions[0].priceMicros == nil)
        #expect(books.transactions[0].currency == nil)
    }
}
