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

    /// The first rule that fits, in the contract's order. `at` only chooses the reason's wording, never `until`.
    package init(of subscription: SubscriptionSnapshot, policy: AccessPolicy, at instant: Instant) {
        self.init(until: Self.until(subscription, policy), reason: Self.reason(subscription, at: instant))
    }

    private static func until(_ it: SubscriptionSnapshot, _ policy: AccessPolicy) -> Instant? {
        switch it.state {
        case .revoked: return it.endedAt
        case .grace: return (it.graceExpiresAt ?? it.expiresAt).map { $0 + policy.buffer }
        case .paused: return it.expiresAt
        case .expired: return it.endedAt ?? it.expiresAt
        case .pending: return nil
        case .trial, .active, .billingRetry, .unreachable, .unverified: break
        }
        guard let expiry = it.expiresAt else { return nil }
        if it.isActive, let checked = it.lastCheckedAt, checked >= expiry { return checked + policy.buffer }
        return expiry + (it.isUnread(since: expiry) ? policy.unreadLimit : policy.buffer)
    }

    private static func reason(_ it: SubscriptionSnapshot, at instant: Instant) -> AccessReason {
        switch it.state {
        case .revoked: return .revoked
        case .expired: return .ended
        case .paused: return .paused
        case .pending: return .pending
        case .unverified: return .unverified
        case .grace: return (it.graceExpiresAt ?? .distantPast) > instant ? .grace : .buffer
        case .trial, .active, .billingRetry, .unreachable: break
        }
        if let expiry = it.expiresAt, instant < expiry { return it.state == .trial ? .trial : .active }
        if it.state == .billingRetry { return .billingRetry }
        return it.expiresAt.map(it.isUnread(since:)) == true ? .unread : .buffer
    }
}

extension SubscriptionSnapshot {
    fileprivate var isActive: Bool { state == .active || state == .trial }

    /// No answer since: a check at or after that instant failed, and none was answered.
    /// What a store once said since then (that it is not being paid) stands, and a later failed check gives nothing back.
    fileprivate func isUnread(since expiry: Instant) -> Bool {
        if state == .unreachable { return true }
        guard failures > 0, let failed = lastFailedAt, failed >= expiry else { return false }
        return lastCheckedAt.map { $0 < expiry } ?? true
    }
}

/// Why a customer has access, or has not.
package enum AccessReason: String, Sendable, Codable, CaseIterable {
    case active, trial, grace, buffer, unread
    case billingRetry = "billing_retry"
    case paused, ended, revoked, pending, unverified
}
