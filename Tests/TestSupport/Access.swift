// SPDX-License-Identifier: Apache-2.0

package import Model

/// Whether a customer has access, until when, and why, reckoned apart from the program: what the view
/// `subledger.entitlements` is held against.
package struct Access: Hashable, Sendable {
    /// Nil: no access at any instant, or none that we know an end of.
    package let until: Instant?
    package let reason: AccessReason

    package init(until: Instant?, reason: AccessReason) {
        self.until = until
        self.reason = reason
    }

    /// Has access at that instant.
    package func isGranted(at instant: Instant) -> Bool { until.map { instant < $0 } ?? false }

    /// The first rule that fits, in the contract's order, by the clock `at`.
    ///
    /// `nights`: when nights of the app ended that asked what was due.
    package init(
        of subscription: SubscriptionSnapshot, policy: AccessPolicy, at instant: Instant, nights: [Instant] = []
    ) {
        let isUnread = subscription.isUnread(policy, at: instant, nights)
        self.init(
            until: Self.until(subscription, policy, isUnread),
            reason: Self.reason(subscription, at: instant, isUnread))
    }

    private static func until(_ it: SubscriptionSnapshot, _ policy: AccessPolicy, _ isUnread: Bool) -> Instant? {
        switch it.state {
        case .revoked: it.endedAt
        case .paused: it.expiresAt
        case .expired: it.endedAt ?? it.expiresAt
        case .pending: nil
        default: it.hangsOn.map { $0 + (isUnread ? policy.unreadLimit : policy.buffer) }
        }
    }

    private static func reason(_ it: SubscriptionSnapshot, at instant: Instant, _ isUnread: Bool) -> AccessReason {
        switch it.state {
        case .revoked: return .revoked
        case .expired: return .ended
        case .paused: return .paused
        case .pending: return .pending
        case .unverified: return .unverified
        case .grace where (it.graceExpiresAt ?? .distantPast) > instant: return .grace
        case .trial, .active, .billingRetry, .unreachable, .grace: break
        }
        if it.state != .grace, let expiry = it.expiresAt, instant < expiry {
            return it.state == .trial ? .trial : .active
        }
        if it.state == .billingRetry { return .billingRetry }
        return isUnread ? .unread : .buffer
    }
}

extension SubscriptionSnapshot {
    /// The instant after which somebody has to be asked.
    fileprivate var hangsOn: Instant? {
        guard let expiry = expiresAt else { return nil }
        if state == .grace { return graceExpiresAt ?? expiry }
        if state == .active || state == .trial, let checked = lastCheckedAt, checked >= expiry { return checked }
        return expiry
    }

    /// No answer since that instant: a check since then failed; or no check was made and no night ended, between buffer
    /// and limit.
    ///
    /// What a store said since then stands, and a later failed check gives nothing back.
    fileprivate func isUnread(_ policy: AccessPolicy, at instant: Instant, _ nights: [Instant]) -> Bool {
        guard let since = hangsOn, ![.revoked, .expired, .paused, .pending].contains(state) else { return false }
        if state == .unreachable { return true }
        if let checked = lastCheckedAt {
            if checked > since { return false }
            if checked == since, state == .billingRetry || state == .unverified { return false }
        }
        if failures > 0, let failed = lastFailedAt, failed >= since, lastCheckedAt.map({ failed > $0 }) ?? true {
            return true
        }
        guard instant >= since + policy.buffer, instant < since + policy.unreadLimit else { return false }
        return !nights.contains { $0 > since && $0 <= instant }
    }
}

/// Why a customer has access, or has not.
package enum AccessReason: String, Sendable, Codable, CaseIterable {
    case active, trial, grace, buffer, unread
    case billingRetry = "billing_retry"
    case paused, ended, revoked, pending, unverified
}
