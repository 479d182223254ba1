// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// The effective end of what has ended: the revocation if that came first, the end of an unpaid grace, the expiry.
    var endedAt: Instant? {
        guard status.state != nil else { return before.endedAt }
        switch state {
        case .revoked:
            let revoked = takenBackAt ?? status.sourceVersion
            return unpaidEnd.map { min($0, revoked) } ?? revoked
        case .expired: return expiredAt
        default: return nil
        }
    }

    var endReason: EndReason? {
        guard status.state != nil else { return before.endReason }
        switch state {
        case .revoked:
            // Of several rows any that money was given back of was refunded.
            if let newest = timeline.newest, !timeline.besideNewest.isEmpty {
                let kinds = (timeline.besideNewest + [newest]).compactMap(\.refundKind)
                return kinds.isEmpty || kinds.contains { $0 != .revoke } ? .refund : .revoke
            }
            if let reported = status.endReason, reported == .refund || reported == .revoke { return reported }
            return timeline.newest?.refundKind == .revoke ? .revoke : .refund
        case .expired where status.state == .billingRetry: return .involuntary
        case .expired: return status.endReason ?? (isKnownEnd ? before.endReason : nil) ?? .unknown
        default: return nil
        }
    }

    /// When the change to this state happened, as far as the store dates it; else when it reported the state.
    var occurredAt: Instant {
        if let endedAt { return endedAt }
        if let switchedOffAt { return switchedOffAt }
        let isChanged = state != before.state || expiresAt != before.expiresAt
        // A payment that did not come has its own instant, whenever the commitment was cancelled.
        if let leftCommitmentAt, !isChanged || !state.isAwaitingPayment { return leftCommitmentAt }
        guard isChanged else { return status.sourceVersion }
        let happened: Instant? =
            switch state {
            case .trial, .active: timeline.began?.purchasedAt
            case .grace, .paused: expiresAt
            case .billingRetry: unpaidEnd
            default: nil
            }
        return min(happened ?? status.sourceVersion, status.sourceVersion)
    }

    /// When the last of the rows that make up the period was taken back; the status shows one of them.
    private var takenBackAt: Instant? {
        guard !timeline.besideNewest.isEmpty else { return status.revokedAt ?? timeline.newest?.refundedAt }
        return (timeline.besideNewest.map(\.cutAt) + [timeline.newest?.cutAt, status.revokedAt]).compactMap(\.self)
            .max()
    }

    /// We had seen this very end before: it stays where it was.
    private var isKnownEnd: Bool { before.state == .expired && before.expiresAt == expiresAt }

    /// A grace that was cut short ended, at the latest, when the store called it over.
    private var expiredAt: Instant? {
        if isKnownEnd, let endedAt = before.endedAt { return endedAt }
        if status.endReason == .replaced, let replacedAt = status.revokedAt {
            return expiresAt.map { min($0, replacedAt) } ?? replacedAt
        }
        guard let expiry = expiresAt, let graceEnd else { return expiresAt ?? status.sourceVersion }
        return max(expiry, min(graceEnd, status.sourceVersion))
    }
}
