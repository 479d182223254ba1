// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The status of a subscription after an answer: what the store states, what we stored of it, and the run's now.
struct StateResolver {
    let subject: ObservedSubscription
    let status: ObservedStatus
    let timeline: Timeline
    /// The periods of the purchases it continues.
    let earlier: [TimelinePeriod]
    /// Its rows that are set aside after this answer.
    let setAside: [RowSetAside]
    let store: StoreKind
    let now: Instant
    /// What we knew before this answer; a subscription that was not asked about starts from nothing.
    let before: SubscriptionSnapshot
    /// What the store states, or the later end that it extended the newest period to before.
    let expiresAt: Instant?
    /// Free time before the first payment, on an offer to new customers.
    let isInTrial: Bool

    init(
        subject: ObservedSubscription, status: ObservedStatus, timeline: Timeline, earlier: [TimelinePeriod],
        setAside: [RowSetAside], store: StoreKind, now: Instant
    ) {
        (self.subject, self.status, self.timeline, self.earlier) = (subject, status, timeline, earlier)
        (self.setAside, self.store, self.now) = (setAside, store, now)
        let before = subject.due?.snapshot ?? SubscriptionSnapshot()
        self.before = before
        self.expiresAt =
            [status.expiresAt, timeline.extendedUntil].lazy.compactMap(\.self).max() ?? timeline.newest?.end
            ?? before.expiresAt
        self.isInTrial = Self.isTrial(timeline, after: earlier)
    }

    func row(refundWatchDays: [Int64], awaited: NextCheck?, answerHash: String) -> SubscriptionRow {
        SubscriptionRow(
            key: subject.key, environment: subject.environment, snapshot: snapshot,
            nextCheck: nextCheck(refundWatchDays: refundWatchDays, awaited: awaited),
            historyCursor: subject.historyCursor ?? subject.due?.historyCursor, sourceVersion: status.sourceVersion,
            occurredAt: occurredAt, answerHash: answerHash, steps: steps)
    }

    /// A state the store invented (nil) keeps what we last understood; the rest of the answer still counts.
    var snapshot: SubscriptionSnapshot {
        let isUnderstood = status.state != nil
        return SubscriptionSnapshot(
            state: state, stateRaw: status.raw,
            productID: status.productID ?? timeline.newest?.productID ?? before.productID,
            autoRenew: status.autoRenew ?? (isUnderstood ? nil : before.autoRenew),
            autoRenewProductID: status.autoRenewProductID ?? (isUnderstood ? nil : before.autoRenewProductID),
            expiresAt: expiresAt, graceExpiresAt: retainsGrace ? graceEnd : nil, endedAt: endedAt, endReason: endReason,
            committedUntil: committedUntil,
            renewalPrice: status.renewalPrice ?? (isUnderstood ? nil : before.renewalPrice),
            lastCheckedAt: now, failures: 0)
    }

    /// The end of the grace that belongs to this expiry.
    ///
    /// The store names it while it lasts; afterwards we remember it.
    var graceEnd: Instant? {
        guard let expiry = expiresAt else { return status.graceExpiresAt }
        let remembered = before.expiresAt == expiry ? before.graceExpiresAt : nil
        return [status.graceExpiresAt, remembered].compactMap { $0 }.first { $0 > expiry }
    }

    /// Where the paid time, grace included, is over if nothing is paid.
    var unpaidEnd: Instant? { graceEnd ?? expiresAt }

    var state: SubscriptionState {
        switch status.state {
        case nil: before.state
        case .active: isInTrial ? .trial : .active
        case .billingRetry where isRetryOver: .expired
        case .expired where isTakenBack: .revoked
        case .some(let reported): reported
        }
    }

    /// A purchase without an order of its own is based on the newest one of those it continues.
    private static func isTrial(_ timeline: Timeline, after earlier: [TimelinePeriod]) -> Bool {
        guard let current = timeline.began ?? earlier.last(where: { !$0.isUpgraded }) ?? earlier.last,
            current.isFree, current.offerType?.isForKnownCustomers != true,
            !timeline.besideNewest.contains(where: \.isPaid), timeline.newest?.isPaid != true
        else { return false }
        let isPaidBefore = { (period: TimelinePeriod) in period.isPaid && period.start < current.start }
        return !earlier.contains(where: isPaidBefore) && !timeline.periods.contains(where: isPaidBefore)
    }

    private var retainsGrace: Bool { state != .active && state != .trial && state != .paused }

    private var isRetryOver: Bool {
        unpaidEnd.map { NextCheck.isRetryOver(store: store, since: $0, now: now) } ?? false
    }

    /// Money back, or the family's share withdrawn, is the reason, whatever else the store calls it.
    ///
    /// What gave way to another subscription was not taken back.
    private var isTakenBack: Bool {
        guard status.endReason != .replaced else { return false }
        if timeline.isTakenBackWhole { return true }
        return status.revokedAt != nil || status.endReason == .refund || status.endReason == .revoke
    }
}
