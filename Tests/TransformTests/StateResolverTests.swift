// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing
import Transform

/// The state of a subscription as far as other data decides it: the day its renewal was switched off, and the order of an older
/// purchase that it runs on.
@Suite("What a state is based on")
struct StateResolverTests {
    private let old = Secret("old-token")
    private let oldest = Secret("oldest-token")

    /// A month from day 0 that is held, and an answer about it.
    private func row(
        _ before: SubscriptionState, _ reported: SubscriptionState, cancelled: Int64, version: Int64
    ) throws -> SubscriptionRow {
        var answer = status(
            reported, expires: 30, reason: reported == .expired ? .voluntary : nil, autoRenew: false,
            version: day(version))
        answer.cancelledAt = day(cancelled)
        let known = rows(reading(observation([period(0)])), now: day(1), kind: .googlePlay).transactions
        let snapshot = SubscriptionSnapshot(state: before, autoRenew: true, expiresAt: day(30), lastCheckedAt: day(1))
        return try #require(
            rows(
                reading(observation([], answer)), for: [due(snapshot, known: known.map(KnownPeriod.init))],
                now: day(version), kind: .googlePlay
            ).subscriptions.first)
    }

    /// In hold or in grace since day 30.
    ///
    /// That it was running then, renewed or not, would be a payment that was never made.
    @Test(arguments: [SubscriptionState.billingRetry, .grace], [SubscriptionState.billingRetry, .expired])
    func `B4: what was awaiting its payment did not run on the day its renewal was switched off`(
        before: SubscriptionState, reported: SubscriptionState
    ) throws {
        let row = try row(before, reported, cancelled: 32, version: 40)
        #expect(row.steps.isEmpty)
        #expect(row.snapshot.state == reported && row.snapshot.autoRenew == false)
        if reported != before { #expect(row.occurredAt == day(30)) }
    }

    @Test
    func `a renewal that is said to be switched off later than the store said so changed when it said so`() throws {
        for (cancelled, happened) in [(12, 10), (10, 10), (8, 8)] as [(Int64, Int64)] {
            let row = try row(.active, .active, cancelled: cancelled, version: 10)
            #expect(row.occurredAt == day(happened))
            #expect(row.steps.isEmpty)
        }
        // Before an end it is a step of its own.
        #expect(
            try row(.active, .expired, cancelled: 20, version: 31).steps == [
                StateStep(at: day(20), state: .active, autoRenew: false)
            ])
    }

    /// The new purchase has no order of its own yet: it runs on what an older one was sold for.
    private func state(_ older: [ObservedPeriod], _ oldest: [ObservedPeriod] = []) -> SubscriptionState? {
        let reported = Observation(
            storeKey: line, environment: .production, status: status(.active, expires: 30, version: day(5)),
            periods: [], linkedTo: old)
        let before = Observation(
            storeKey: old, environment: .production, status: nil, periods: older, linkedTo: self.oldest)
        return rows(
            reading(reported, before, observation(oldest, of: self.oldest)), now: day(5), kind: .googlePlay
        ).subscriptions.first { $0.key == lineKey }?.snapshot.state
    }

    @Test func `B7: a purchase without an order of its own is in a trial where the order it is based on is a trial`() {
        #expect(state([period(0, days: 30, id: "O0", free: true)]) == .trial)
        #expect(state([period(0, id: "O0")]) == .active)
        // The newest one counts: paid since the trial.
        #expect(state([period(0, id: "O0")], [period(-7, days: 7, id: "A0", free: true)]) == .active)
    }

    /// A code, a gift, or a retention offer: free time of those who paid before.
    @Test func `B7: free time is a trial before the first payment alone, and on no offer to known customers`() {
        #expect(state([period(0, days: 30, id: "O0", free: true)], [period(-30, id: "A0")]) == .active)
        #expect(state([period(-30, id: "O0"), period(0, days: 30, id: "O1", free: true)]) == .active)
        #expect(
            state([period(-7, days: 7, id: "O0", free: true), period(0, days: 30, id: "O1", free: true)]) == .trial)
        for (offer, expected): (OfferType, SubscriptionState) in [
            (.promotional, .active), (.winBack, .active), (.introductory, .trial), (.code, .trial),
            (.retention, .trial), (.other, .trial),
        ] {
            var free = period(0, days: 30, id: "O0", free: true)
            free.facts.offerType = offer
            #expect(state([free]) == expected, "\(offer)")
        }
    }

    /// A month that was extended from day 30 to day 50.
    ///
    /// The statuses then say grace or expired, and know of day 30 alone.
    @Test(arguments: [SubscriptionState.grace, .expired, .billingRetry])
    func `B2: an extension that was learned once stays when the status changes`(_ reported: SubscriptionState) throws {
        var sold = period(0)
        sold.facts.extendedUntil = day(50)
        let known = rows(reading(observation([sold])), now: day(10), kind: .appStore).transactions
        let snapshot = SubscriptionSnapshot(
            state: .active, autoRenew: true, expiresAt: day(50), lastCheckedAt: day(10))
        let booked = known.map { row in
            var facts = row.facts
            facts.extendedUntil = day(50)
            return KnownPeriod(facts, kind: row.kind)
        }
        let answer = status(
            reported, expires: 30, reason: reported == .expired ? .voluntary : nil, autoRenew: false, version: day(51))
        let answered = rows(
            reading(observation([period(0)], answer)), for: [due(snapshot, known: booked)], now: day(51),
            kind: .appStore)
        let row = try #require(answered.subscriptions.first)
        #expect(row.snapshot.state == reported && row.snapshot.expiresAt == day(50))
        #expect(row.snapshot.endedAt == (reported == .expired ? day(50) : nil))
    }

    /// Added on day 2 and cut short when the new purchase was made, which keeps the other.
    @Test func `B7: no purchase is based on an older order that was cut short`() {
        let added = period(2, days: 28, id: "O0", product: "addon", price: 1_000_000, upgraded: true)
        #expect(state([added], [period(0, days: 30, id: "A0", free: true)]) == .trial)
        #expect(state([added], [period(0, id: "A0")]) == .active)
    }

    /// Booked by a version that kept one sum and one day.
    @Test func `B6: a known refund without its steps is one step, and what is given back since is another`() {
        var seats = period(0, id: "A", product: "team", price: 100_000_000, version: day(9))
        seats.refund = ObservedPeriod.Refund(
            at: day(9), kind: .partial, micros: 50_000_000, source: .derived, isGrowing: true, leavesPeriod: true)
        let known = KnownPeriod(
            PeriodFacts(
                transactionID: "A", periodKey: "PA", productID: "team", purchasedAt: day(0), start: day(0),
                end: day(30), priceMicros: 100_000_000, currency: "USD"), kind: .purchase,
            refund: RefundFacts(at: day(5), kind: .partial, micros: 20_000_000))
        let reported = rows(
            reading(observation([seats], status(.active, expires: 30, version: day(9)))),
            for: [due(SubscriptionSnapshot(state: .active), known: [known])], now: day(9)
        ).transactions.first
        #expect(
            reported?.refundParts == [
                RefundPart(at: day(5), micros: 20_000_000), RefundPart(at: day(9), micros: 30_000_000),
            ])
        #expect(reported?.refundMicros == 50_000_000 && reported?.refundedAt == day(9))
    }
}
