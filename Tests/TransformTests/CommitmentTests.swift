// SPDX-License-Identifier: Apache-2.0

import Model
import Stores
import TestSupport
import Testing
import Transform

/// A year that is paid by the month (periods of 30 days here), cancelled while months are owed: it ends on day 360.
@Suite struct CommitmentTests {
    private static func status(
        _ state: SubscriptionState = .active, expires: Int64, until: Int64?, renews: Bool = true,
        cancelled: Instant? = nil, version: Instant
    ) -> ObservedStatus {
        var status = status(state, expires: expires, autoRenew: renews, version: version)
        status.committedUntil = until.map { day($0) }
        status.cancelledAt = cancelled
        return status
    }

    private static func status(
        _ state: SubscriptionState, expires: Int64, autoRenew: Bool, version: Instant
    ) -> ObservedStatus {
        ObservedStatus(
            state: state, productID: "monthly", autoRenew: autoRenew, expiresAt: day(expires),
            endReason: state == .expired ? .voluntary : nil, sourceVersion: version)
    }

    /// The row of one answer to a subscription that was running in its first month.
    private static func row(
        _ status: ObservedStatus, _ periods: [ObservedPeriod], before: SubscriptionSnapshot, now: Instant
    ) throws -> SubscriptionRow {
        let rows = rows(reading(observation(periods, status)), for: [due(before)], now: now, kind: .googlePlay)
        return try #require(rows.subscriptions.first)
    }

    private static func running(until expires: Int64, committed: Int64? = nil) -> SubscriptionSnapshot {
        SubscriptionSnapshot(
            state: .active, autoRenew: true, expiresAt: day(expires), committedUntil: committed.map { day($0) })
    }

    @Test func `B7: a cancellation in mid-period is a change of the instant at which it was said`() throws {
        let row = try Self.row(
            Self.status(expires: 30, until: 360, version: day(12)), [period(0)], before: Self.running(until: 30),
            now: day(12))
        #expect(row.occurredAt == day(12) && row.steps.isEmpty)
        #expect(row.snapshot.autoRenew == true && row.snapshot.committedUntil == day(360))
        #expect(row.nextCheck == NextCheck(at: day(30), reason: .atExpiry))
    }

    @Test func `B7: what was renewed meanwhile was renewed before, and what the store dates has that date`() throws {
        let renewed = try Self.row(
            Self.status(expires: 60, until: 360, version: day(31)), [period(0), period(30)],
            before: Self.running(until: 30), now: day(31))
        #expect(renewed.occurredAt == day(31))
        #expect(renewed.steps == [StateStep(at: day(30), state: .active, autoRenew: true)])
        let dated = try Self.row(
            Self.status(expires: 60, until: 360, cancelled: day(30, .hours(5)), version: day(31)),
            [period(0), period(30)], before: Self.running(until: 30), now: day(31))
        #expect(dated.occurredAt == day(30, .hours(5)))
    }

    @Test func `B7: set to cancel begins with the last month, not on the day it was cancelled`() throws {
        let last = try Self.row(
            Self.status(expires: 360, until: 360, renews: false, cancelled: day(12), version: day(331)),
            [period(300), period(330)], before: Self.running(until: 330, committed: 360), now: day(331))
        #expect(last.occurredAt == day(330))
        #expect(last.steps.isEmpty)
        #expect(last.snapshot.autoRenew == false && last.snapshot.committedUntil == day(360))
        // Learned with the end alone: cancelled on day 12, set to cancel from day 330 on.
        let late = try Self.row(
            Self.status(.expired, expires: 360, until: 360, renews: false, cancelled: day(12), version: day(361)),
            [period(300), period(330)], before: Self.running(until: 330), now: day(361))
        #expect(
            late.steps == [
                StateStep(at: day(12), state: .active, autoRenew: true, committedUntil: day(360)),
                StateStep(at: day(330), state: .active, autoRenew: false, committedUntil: day(360)),
            ])
    }

    @Test func `B7: the commitment is retained while it runs out, and gone when the customer stays`() throws {
        let known = Self.running(until: 330, committed: 360)
        let ended = try Self.row(
            Self.status(.expired, expires: 360, until: nil, renews: false, version: day(361)), [period(330)],
            before: known, now: day(361))
        #expect(ended.snapshot.committedUntil == day(360))
        let stayed = try Self.row(
            Self.status(expires: 330, until: nil, version: day(320)), [period(300)], before: known, now: day(320))
        #expect(stayed.snapshot.committedUntil == nil && stayed.occurredAt == day(320))
        // A plan that was bought after it, and switched off.
        let again = try Self.row(
            Self.status(expires: 400, until: nil, renews: false, version: day(380)), [period(370)], before: known,
            now: day(380))
        #expect(again.snapshot.committedUntil == nil)
    }

    /// The month of 30 days that was counted on from a shorter one: said to end on day 358, it ends on day 360.
    @Test(arguments: [SubscriptionState.active, .expired])
    func `B7: a last month that ends later than was counted is of the commitment still`(
        state: SubscriptionState
    ) throws {
        let last = try Self.row(
            Self.status(state, expires: 360, until: nil, renews: false, cancelled: day(12), version: day(361)),
            [period(300), period(330)], before: Self.running(until: 330, committed: 358), now: day(361))
        #expect(last.snapshot.committedUntil == day(358))
        #expect(state == .expired ? last.steps.map(\.at) == [day(330)] : last.occurredAt == day(330))
    }

    @Test func `B7: the plan after a commitment is switched off after its own payment, whatever date is said`() throws {
        let later = try Self.row(
            Self.status(expires: 400, until: nil, renews: false, cancelled: day(12), version: day(380)),
            [period(340), period(370)], before: Self.running(until: 330, committed: 360), now: day(380))
        #expect(later.snapshot.committedUntil == nil && later.occurredAt == day(370))
    }

    /// Seven months before the end of the commitment, or with it.
    @Test(
        arguments: [
            (.involuntary, 150, nil), (.voluntary, 150, 360), (.involuntary, 360, 360), (nil, 150, nil),
            (nil, 359, nil),
        ] as [(EndReason?, Int64, Int64?)], [nil, 360] as [Int64?])
    func `B7: what ended unpaid or was given back before its end is committed to nothing`(
        end: (reason: EndReason?, at: Int64, committed: Int64?), stated: Int64?
    ) throws {
        let (reason, ended, committed) = end
        var status = Self.status(
            reason == nil ? .revoked : .expired, expires: ended, until: stated, renews: false, version: day(361))
        status.endReason = reason ?? .refund
        status.revokedAt = reason == nil ? day(ended) : nil
        let row = try Self.row(
            status, [period(ended - 30)], before: Self.running(until: ended, committed: 360), now: day(361))
        #expect(row.snapshot.committedUntil == committed.map { day($0) })
    }

    @Test func `B7: a row that is no commitment's month ends what was said of one`() throws {
        let known = Self.running(until: 330, committed: 360)
        for (isCommitted, until) in [(false, nil), (true, day(360)), (nil, day(360))] as [(Bool?, Instant?)] {
            var status = Self.status(expires: 330, until: nil, renews: false, version: day(320))
            status.isCommitted = isCommitted
            let row = try Self.row(status, [period(300)], before: known, now: day(320))
            #expect(row.snapshot.committedUntil == until)
        }
    }

    @Test func `B7: a second commitment is cancelled at its own instant`() throws {
        var known = Self.running(until: 360, committed: 360)
        (known.state, known.autoRenew, known.endedAt) = (.expired, false, day(360))
        var said = Self.status(expires: 430, until: 760, version: day(420))
        let row = try Self.row(said, [period(400)], before: known, now: day(420))
        #expect(row.occurredAt == day(420) && row.snapshot.committedUntil == day(760))
        #expect(row.steps == [StateStep(at: day(400), state: .active, autoRenew: true)])
        said.cancelledAt = day(410)
        #expect(try Self.row(said, [period(400)], before: known, now: day(420)).occurredAt == day(410))
        // The same one, whose end is counted again every month.
        let drifted = try Self.row(
            Self.status(expires: 60, until: 362, cancelled: day(12), version: day(31)), [period(0), period(30)],
            before: Self.running(until: 30, committed: 360), now: day(31))
        #expect(drifted.occurredAt == day(30) && drifted.steps.isEmpty)
    }

    @Test func `B7: a month that was not paid has its own instant, with or without a cancellation`() throws {
        let said = Self.status(.billingRetry, expires: 30, until: 360, version: day(34))
        let unpaid = try Self.row(said, [period(0)], before: Self.running(until: 30), now: day(34))
        #expect(unpaid.occurredAt == day(30) && unpaid.steps.isEmpty && unpaid.snapshot.committedUntil == day(360))
        var dated = said
        dated.cancelledAt = day(12)
        let row = try Self.row(dated, [period(0)], before: Self.running(until: 30), now: day(34))
        #expect(row.occurredAt == day(30))
        #expect(row.steps == [StateStep(at: day(12), state: .active, autoRenew: true, committedUntil: day(360))])
    }

    @Test func `the renewal's price is what the store said last; a word that is not understood changes nothing`() throws
    {
        var known = Self.running(until: 30, committed: 360)
        known.renewalPrice = RenewalPrice(micros: 9_990_000, currency: "USD")
        var raised = Self.status(expires: 30, until: 360, version: day(3))
        raised.renewalPrice = RenewalPrice(micros: 12_990_000, currency: "USD")
        let row = try Self.row(raised, [period(0)], before: known, now: day(3))
        #expect(row.snapshot.renewalPrice == raised.renewalPrice && row.occurredAt == day(3))
        let none = try Self.row(
            Self.status(expires: 30, until: 360, version: day(3)), [period(0)], before: known, now: day(3))
        #expect(none.snapshot.renewalPrice == nil)
        let strange = try Self.row(
            ObservedStatus(state: nil, raw: "9", sourceVersion: day(3)), [period(0)], before: known, now: day(3))
        #expect(strange.snapshot.renewalPrice == known.renewalPrice && strange.snapshot.committedUntil == day(360))
        // Only refunds were looked for.
        let watched = try Self.row(
            ObservedStatus(retaining: known, readAt: day(3)), [], before: known, now: day(3))
        #expect(watched.snapshot.renewalPrice == known.renewalPrice && watched.snapshot.committedUntil == day(360))
    }
}
