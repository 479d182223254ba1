// SPDX-License-Identifier: Apache-2.0

package import Model

extension ObservedStatus {
    /// Where a subscription stands when only its refunds were looked for and nothing was asked of its state: as it was.
    ///
    /// - Parameter readAt: when the store answered.
    package init(keeping snapshot: SubscriptionSnapshot, readAt: Instant) {
        self.init(
            state: snapshot.state == .trial ? .active : snapshot.state, raw: snapshot.stateRaw,
            productID: snapshot.productID, autoRenew: snapshot.autoRenew,
            autoRenewProductID: snapshot.autoRenewProductID, expiresAt: snapshot.expiresAt,
            graceExpiresAt: snapshot.graceExpiresAt, endReason: snapshot.endReason,
            revokedAt: snapshot.state == .revoked ? snapshot.endedAt : nil, sourceVersion: readAt)
    }
}
