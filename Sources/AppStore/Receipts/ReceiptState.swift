// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Derives the status of a subscription: a receipt has no word for it, only the parts.
struct ReceiptState {
    /// How long a renewal may be late before its absence is an end.
    private static let longestDelay = Span.hours(48)

    /// The store's clock when it answered.
    let requestedAt: Instant
    let pending: [PendingRenewal]
    /// The transactions that a bundle took the place of.
    var replaced: Set<String> = []
    /// The store called the whole receipt expired (21006, the form of iOS 6): nothing more is awaited.
    var isSaidExpired = false

    /// Nil for one-time products, which have no state.
    func status(of originalTransactionID: String, periods: [ObservedPeriod]) -> ObservedStatus? {
        guard let newest = newest(of: periods.filter(\.isAutoRenewable)) else { return nil }
        let renewal = renewal(of: originalTransactionID, productID: newest.productID)
        let graceExpiresAt = renewal?.graceExpiresDate.best
        let state = state(newest, renewal, graceExpiresAt: graceExpiresAt)
        return ObservedStatus(
            state: state, productID: newest.productID, autoRenew: renewal?.autoRenewStatus,
            autoRenewProductID: renewal?.autoRenewProductID, expiresAt: newest.end, graceExpiresAt: graceExpiresAt,
            endReason: endReason(of: state, newest, renewal), revokedAt: newest.refund?.at,
            sourceVersion: requestedAt)
    }

    /// The newest by purchase that was not superseded by an upgrade.
    private func newest(of periods: [ObservedPeriod]) -> ObservedPeriod? {
        let current = periods.filter { !$0.isUpgraded }
        return (current.isEmpty ? periods : current).max {
            ($0.purchasedAt, $0.end ?? .distantPast, $0.transactionID)
                < ($1.purchasedAt, $1.end ?? .distantPast, $1.transactionID)
        }
    }

    private func state(
        _ newest: ObservedPeriod, _ renewal: PendingRenewal?, graceExpiresAt: Instant?
    ) -> SubscriptionState {
        if newest.refund != nil { return replaced.contains(newest.transactionID) ? .expired : .revoked }
        if let graceExpiresAt, graceExpiresAt > requestedAt { return .grace }
        if let end = newest.end, end > requestedAt { return .active }
        if renewal?.isInBillingRetry == true && renewal?.autoRenewStatus != false { return .billingRetry }
        return isLate(newest, renewal) ? .active : .expired
    }

    /// Past the expiry, with nothing that says it is over: the renewal may only be a minute late.
    ///
    /// It is no end yet.
    private func isLate(_ newest: ObservedPeriod, _ renewal: PendingRenewal?) -> Bool {
        guard !isSaidExpired, let end = newest.end, requestedAt - end < Self.longestDelay else { return false }
        return renewal?.autoRenewStatus != false && renewal?.expirationIntent == nil
    }

    private func endReason(
        of state: SubscriptionState, _ newest: ObservedPeriod, _ renewal: PendingRenewal?
    ) -> EndReason? {
        switch state {
        case .revoked: newest.refund?.kind == .revoke ? .revoke : .refund
        case .expired where replaced.contains(newest.transactionID): .replaced
        case .expired: ExpirationIntent.endReason(renewal?.expirationIntent)
        default: nil
        }
    }

    /// There may be one for each product of a group; the current product's speaks for the subscription.
    private func renewal(of originalTransactionID: String, productID: String) -> PendingRenewal? {
        let own = pending.filter { ($0.originalTransactionID ?? originalTransactionID) == originalTransactionID }
        return own.first { $0.productID == productID } ?? own.first { $0.autoRenewProductID == productID } ?? own.first
    }
}
