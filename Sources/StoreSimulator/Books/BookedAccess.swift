// SPDX-License-Identifier: Apache-2.0

/// Until when a subscription gives access, and why, by what the store has disclosed and nothing else.
package struct BookedAccess: Hashable, Sendable, Codable {
    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        case active, trial, grace, buffer, unread, paused, ended, revoked, pending, unverified
        case billingRetry = "billing_retry"
    }

    package var appID: String
    package var accountID: String
    package var originalTransactionID: String
    /// Microseconds since the Unix epoch; nil where nobody knows an end.
    package var accessUntil: Int64?
    package var reason: Reason
}

/// What the owner grants beyond what was paid for, in microseconds.
package struct AccessPolicy: Hashable, Sendable {
    /// Hides the latency of a daily check.
    package var graceBuffer: Int64 = CivilTime.day
    /// How long after its expiry a subscription is believed in whose last check failed.
    package var unreadLimit: Int64 = 3 * CivilTime.day
}

extension Books {
    /// The subscriptions anybody knows of, at an instant (the store's clock unless said otherwise).
    ///
    /// One that the app's backend handed in and that never answered has the expiry it came with.
    package func access(_ policy: AccessPolicy = AccessPolicy(), at instant: Int64? = nil) -> [BookedAccess] {
        let at = instant ?? now
        return appStoreAccess(policy, at: at) + (play?.access(policy, at: at) ?? [])
    }

    private func appStoreAccess(_ policy: AccessPolicy, at instant: Int64) -> [BookedAccess] {
        let shown = Set(disclosed.periods.values.map(\.booked.originalTransactionID))
        return everySubscription.compactMap { customer, life, app in
            let id = life.originalTransactionID
            if let status = disclosed.statuses[id] {
                let isUnread = disclosed.failedChecks[id].map { $0 >= status.hangsOn && $0 > status.at } ?? false
                return status.access(of: customer.accountID, policy, at: instant, isUnread: isUnread)
            }
            let handedIn = life.periods.indices.last { index in life.handIns(of: index).contains { $0 <= now } }
            let last = life.isRegistered ? handedIn : nil
            guard last != nil || shown.contains(id) else { return nil }
            return BookedAccess(
                appID: app.id, accountID: customer.accountID, originalTransactionID: id,
                accessUntil: last.map {
                    (life.periods[$0].extended?.value ?? life.periods[$0].expiresAt) + policy.graceBuffer
                }, reason: .unverified)
        }
    }
}

extension DisclosedStatus {
    func access(
        of accountID: String, _ policy: AccessPolicy, at instant: Int64, isUnread: Bool = false
    ) -> BookedAccess {
        BookedAccess(
            appID: subscription.appID, accountID: accountID,
            originalTransactionID: subscription.originalTransactionID,
            accessUntil: accessUntil(policy, isUnread: isUnread), reason: reason(at: instant, isUnread: isUnread))
    }

    /// The instant after which somebody has to be asked: the expiry, the end of the grace, or the answer that said active past the
    /// expiry.
    var hangsOn: Int64 {
        let expiry = subscription.expiresAt
        switch subscription.state {
        case .grace: return subscription.graceExpiresAt ?? expiry
        case .active, .trial: return max(expiry, at)
        default: return expiry
        }
    }

    /// The first of the contract's rules that fits.
    ///
    /// A failed read is no expiry: what was disclosed before it is believed a little longer.
    private func accessUntil(_ policy: AccessPolicy, isUnread: Bool) -> Int64? {
        let expiry = subscription.expiresAt
        let paidUntil = max(expiry, graceEndsAt ?? expiry)
        switch subscription.state {
        case .revoked: return min(revokedAt ?? at, paidUntil)
        case .paused: return expiry
        // What gave way to a bundle was taken away then.
        case .expired: return min(revokedAt ?? paidUntil, paidUntil)
        case .pending, .unverified: return nil
        case .unreachable: return expiry + policy.unreadLimit
        case .active, .trial, .grace, .billingRetry:
            return hangsOn + (isUnanswered(isUnread) ? policy.unreadLimit : policy.graceBuffer)
        }
    }

    /// Whether the check that failed was the last word, and nothing was answered since.
    private func isUnanswered(_ isUnread: Bool) -> Bool {
        isUnread && (at <= hangsOn && subscription.state != .billingRetry || at < hangsOn)
    }

    private func reason(at instant: Int64, isUnread: Bool) -> BookedAccess.Reason {
        let expiry = subscription.expiresAt
        switch subscription.state {
        case .revoked: return .revoked
        case .expired: return .ended
        case .paused: return .paused
        case .pending: return .pending
        case .unverified: return .unverified
        case .unreachable: return instant < expiry ? .active : .unread
        case .grace: if instant < subscription.graceExpiresAt ?? expiry { return .grace }
        case .trial: if instant < expiry { return .trial }
        case .active: if instant < expiry { return .active }
        case .billingRetry: return instant < expiry ? .active : .billingRetry
        }
        return isUnanswered(isUnread) ? .unread : .buffer
    }
}
