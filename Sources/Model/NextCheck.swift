// SPDX-License-Identifier: Apache-2.0

/// When a subscription is asked about next, and why.
///
/// Pure: what the store said, and the run's now.
package struct NextCheck: Hashable, Sendable, Codable {
    /// Why that instant, as kept in `next_check_reason`.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        case never, nightly, weekly, failed, unreachable, registered
        case beforeExpiry = "before_expiry"
        case atExpiry = "at_expiry"
        case everySecondNight = "every_second_night"
        case atResume = "at_resume"
        case everyRun = "every_run"
        case refundWatch = "refund_watch"
        /// A store event named it.
        case notified
        /// A store event reported a refund: its charges are looked at again, whatever its status says.
        case refundNotified = "refund_notified"
        /// What it continues became known: its charges are placed again.
        case linked
        case notFound = "not_found"
        /// A row of its answer was set aside.
        case setAside = "set_aside"
    }

    /// Nil: never again, unless something new is reported of it.
    package let at: Instant?
    package let reason: Reason

    package init(at: Instant?, reason: Reason) {
        self.at = at
        self.reason = reason
    }

    /// A night is 18 hours long here, so that a cron that starts a little earlier skips no subscription.
    package static let night = Span.hours(18)
    /// How long the App Store goes on trying to be paid.
    package static let retryDays: Int64 = 60

    /// The store has given up trying to be paid, whatever it still calls it: on the App Store after its 60 days.
    ///
    /// Play ends a hold by its own state.
    package static func isRetryOver(store: StoreKind, since effectiveEnd: Instant, now: Instant) -> Bool {
        store == .appStore && now - effectiveEnd >= .days(retryDays + 1)
    }

    /// What the rule needs to know.
    package struct Situation: Sendable {
        package var store: StoreKind
        package var state: SubscriptionState
        package var autoRenew: Bool?
        package var expiresAt: Instant?
        /// When the paid time (grace included) ended; the count of a billing retry's days starts here.
        package var effectiveEnd: Instant?
        package var resumesAt: Instant?
        /// Start of the current period: a very short period shows the sandbox's compressed clock.
        package var periodStart: Instant?
        package var registeredAt: Instant?

        package init(
            store: StoreKind, state: SubscriptionState, autoRenew: Bool? = nil, expiresAt: Instant? = nil,
            effectiveEnd: Instant? = nil, resumesAt: Instant? = nil, periodStart: Instant? = nil,
            registeredAt: Instant? = nil
        ) {
            self.store = store
            self.state = state
            self.autoRenew = autoRenew
            self.expiresAt = expiresAt
            self.effectiveEnd = effectiveEnd
            self.resumesAt = resumesAt
            self.periodStart = periodStart
            self.registeredAt = registeredAt
        }
    }

    /// After the store has answered.
    package static func after(_ situation: Situation, now: Instant) -> NextCheck {
        // The compressed clock goes first: there an end of a minute ago is often only a renewal that is late.
        if situation.isCompressed(at: now) { return NextCheck(at: now, reason: .everyRun) }
        if situation.state.isEnded { return NextCheck(at: nil, reason: .never) }
        switch situation.state {
        case .trial, .active: return whileRunning(situation, now)
        case .billingRetry: return duringRetry(since: situation.effectiveEnd ?? situation.expiresAt ?? now, now)
        case .paused: return whilePaused(situation, now)
        case .pending: return whilePending(situation, now)
        case .unreachable: return NextCheck(at: now + .days(7), reason: .weekly)
        case .grace, .unverified, .expired, .revoked: return NextCheck(at: now + night, reason: .nightly)
        }
    }

    private static func whileRunning(_ situation: Situation, _ now: Instant) -> NextCheck {
        guard let expiry = situation.expiresAt, expiry > now else {
            return NextCheck(at: now + night, reason: .nightly)
        }
        let renewsEarly = situation.store == .appStore && situation.autoRenew != false
        let dayBefore = expiry - .days(1)
        return renewsEarly && dayBefore > now
            ? NextCheck(at: dayBefore, reason: .beforeExpiry) : NextCheck(at: expiry, reason: .atExpiry)
    }

    private static func duringRetry(since end: Instant, _ now: Instant) -> NextCheck {
        now - end <= .days(28)
            ? NextCheck(at: now + night, reason: .nightly)
            : NextCheck(at: now + night + .days(1), reason: .everySecondNight)
    }

    private static func whilePaused(_ situation: Situation, _ now: Instant) -> NextCheck {
        guard let resumes = situation.resumesAt, resumes > now else {
            return NextCheck(at: now + .days(7), reason: .weekly)
        }
        return NextCheck(at: resumes, reason: .atResume)
    }

    private static func whilePending(_ situation: Situation, _ now: Instant) -> NextCheck {
        guard let since = situation.registeredAt, now - since > .days(7) else {
            return NextCheck(at: now + night, reason: .nightly)
        }
        return NextCheck(at: now + .days(7), reason: .weekly)
    }
}

extension NextCheck {
    /// Why a check failed.
    package enum FailureKind: String, Sendable, Codable {
        case transient, refusedForNow, notFound, gone
        /// The answer came and could not be taken.
        case unreadable
    }

    /// The third failing night in a row of an id that the store does not know sets it aside; of one that it refuses for now, the
    /// third night on which it did, in a row or not.
    package static let nightsUntilSetAside = 3

    /// After a failed check.
    ///
    /// `failures` counts the failing nights, this one included: in a row, or those on which the store refused the id
    /// for now.
    ///
    /// What may pass is due at once: the run that failed does not ask again, the next one does, be it an hour later.
    package static func afterFailure(_ kind: FailureKind, failures: Int, now: Instant) -> NextCheck {
        switch kind {
        case .transient: NextCheck(at: now, reason: .failed)
        case .unreadable where failures < nightsUntilSetAside: NextCheck(at: now, reason: .failed)
        case .unreadable: NextCheck(at: now + .days(7), reason: .setAside)
        case .refusedForNow where failures < nightsUntilSetAside: NextCheck(at: now, reason: .failed)
        case .notFound where failures < nightsUntilSetAside: NextCheck(at: now + night, reason: .notFound)
        case .refusedForNow, .notFound, .gone: NextCheck(at: now + .days(7), reason: .unreachable)
        }
    }
}

extension NextCheck.Situation {
    /// The sandbox's clock: a period shorter than a day, ended or not, up to a day after its end.
    fileprivate func isCompressed(at now: Instant) -> Bool {
        guard let start = periodStart, let end = expiresAt else { return false }
        return end > start && end - start < .days(1) && now - end < .days(1)
    }
}
