// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import Testing
import Transform

@Suite("The state of a subscription")
struct StateTests {
    @Test(arguments: [EndReason.voluntary, .involuntary, .price, .product, .unknown, nil])
    func `every reason the store gives for an end is stored; none at all is unknown`(reason: EndReason?) {
        var books = Books()
        books.night(day(31), status(.expired, expires: 30, reason: reason, version: day(31)), period(0))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endReason == reason ?? .unknown)
        #expect(books.snapshot.endedAt == day(30))
    }

    @Test(arguments: [EndReason.refund, .revoke])
    func `where the reason is a refund or a revocation, the state is revoked`(reason: EndReason) {
        var books = Books()
        books.night(day(31), status(.expired, expires: 30, reason: reason, version: day(31)), period(0))
        #expect(books.snapshot.state == .revoked)
        #expect(books.snapshot.endReason == reason)
    }

    @Test
    func `an unknown status leaves the last state unchanged, is stored as it came, and is asked about the next night`()
    {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(29, .hours(1)), status(nil, expires: 30, autoRenew: nil, raw: "6", version: day(29)), period(0))
        #expect(books.snapshot.state == .active)
        #expect(books.snapshot.stateRaw == "6")
        #expect(books.snapshot.autoRenew == true)
        #expect(books.snapshot.expiresAt == day(30))
        #expect(books.nextCheck == NextCheck(at: day(29, .hours(19)), reason: .nightly))
    }

    @Test func `an unknown status leaves an end as it was, and the rows beside it are booked`() {
        var books = Books()
        books.night(day(31), status(.expired, expires: 30, reason: .price, version: day(31)), period(0))
        books.night(day(40), status(nil, raw: "7", version: day(40)), period(40))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endReason == .price)
        #expect(books.snapshot.endedAt == day(30))
        #expect(books.kinds == [.purchase, .resubscribe])
        #expect(books.nextCheck?.reason == .nightly)
    }

    @Test func `an asked subscription of which only rows were reported retains its state`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(day(29), nil, period(0))
        #expect(books.snapshot.state == .active)
        #expect(books.nextCheck?.reason == .nightly)
    }

    @Test func `a good answer resets the failures, retains the stored cursor and names its evidence`() throws {
        let before = SubscriptionSnapshot(state: .active, expiresAt: day(30), failures: 2)
        let retained = rows(
            reading(observation([period(0)], status(.active, expires: 30, version: day(3)))),
            for: [due(before, cursor: "revision-1")], now: day(5))
        let row = try #require(retained.subscriptions.first)
        #expect(row.key == lineKey)
        #expect(row.snapshot.failures == 0)
        #expect(row.snapshot.lastCheckedAt == day(5))
        #expect(row.historyCursor == "revision-1")
        #expect(row.answerHash == "hash-1")
        #expect(row.sourceVersion == day(3))
        let moved = rows(
            reading(observation([], status(.active, expires: 30, version: day(3)), cursor: "revision-2")),
            for: [due(before, cursor: "revision-1")], now: day(5))
        #expect(moved.subscriptions.first?.historyCursor == "revision-2")
    }

    @Test func `B10: a sandbox period of minutes is asked about every run, and no charge of it is watched`() throws {
        let start = day(0)
        let minutes = ObservedPeriod(
            PeriodFacts(
                transactionID: "S1", periodKey: "S1", productID: "monthly", purchasedAt: start, start: start,
                end: start + .minutes(5), priceMicros: 9_990_000, currency: "USD"),
            SaleFacts(originalTransactionID: line.reveal(), priceSource: .storePrice, sourceVersion: start))
        let running = ObservedStatus(
            state: .active, autoRenew: true, expiresAt: start + .minutes(5), sourceVersion: start)
        let sandbox = Observation(storeKey: line, environment: .sandbox, status: running, periods: [minutes])
        let row = try #require(
            rows(reading(sandbox), now: start + .minutes(1), watch: [30, 60]).subscriptions.first)
        #expect(row.environment == .sandbox)
        #expect(row.nextCheck == NextCheck(at: start + .minutes(1), reason: .everyRun))
        // Just over it is still asked every run: the next period may be a minute late.
        let over = ObservedStatus(
            state: .expired, expiresAt: start + .minutes(5), endReason: .voluntary, sourceVersion: start)
        let reported = Observation(storeKey: line, environment: .sandbox, status: over, periods: [minutes])
        let justOver = rows(reading(reported), now: start + .minutes(9), watch: [30, 60]).subscriptions.first
        #expect(justOver?.nextCheck == NextCheck(at: start + .minutes(9), reason: .everyRun))
        // A day later no check follows; a charge of production would be checked on its 30th day.
        for (environment, next) in [
            (.sandbox, NextCheck(at: nil, reason: .never)), (.production, NextCheck(at: day(30), reason: .refundWatch)),
        ] as [(PurchaseEnvironment, NextCheck)] {
            let reported = Observation(storeKey: line, environment: environment, status: over, periods: [minutes])
            let ended = rows(reading(reported), now: start + .days(1) + .minutes(5), watch: [30, 60]).subscriptions
                .first
            #expect(ended?.nextCheck == next)
        }
    }

    @Test func `the newest period decides between trial and active, whatever the order of the rows`() {
        var books = Books()
        books.book([period(7), trial(0)], status(.active, expires: 37, version: day(8)), now: day(8))
        #expect(books.snapshot.state == .active)
        var inTrial = Books()
        inTrial.book([trial(0)], status(.active, expires: 7, version: day(1)), now: day(1))
        #expect(inTrial.snapshot.state == .trial)
        #expect(inTrial.nextCheck == NextCheck(at: day(6), reason: .beforeExpiry))
    }

    @Test func `what gave way to a bundle has ended as replaced, when it was taken back, and no money was refunded`() {
        var books = Books()
        books.night(day(0), status(.active, expires: 30, version: day(0)), period(0))
        books.night(
            day(13), status(.expired, expires: 30, reason: .replaced, revoked: 12, version: day(13)),
            period(0, refund: ObservedPeriod.Refund(at: day(12), kind: .revoke)))
        #expect(books.snapshot.state == .expired)
        #expect(books.snapshot.endReason == .replaced)
        #expect(books.snapshot.endedAt == day(12))
        #expect(books.transactions[0].refundMicros == nil)
        #expect(books.nextCheck == NextCheck(at: nil, reason: .never))
    }
}
