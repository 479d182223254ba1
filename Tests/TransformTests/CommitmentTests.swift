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
