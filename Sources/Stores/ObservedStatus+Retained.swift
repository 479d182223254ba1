// SPDX-License-Identifier: Apache-2.0

package import Model

extension ObservedStatus {
    /// The status after a refund-only check: keeps state and source version, so that a later status still wins.
    ///
    /// `readAt`: when the store answered: the source version of a snapshot that has none.
    package init(retaining snapshot: SubscriptionSnapshot, readAt: Instant) {
        self.init(
            state: snapshot.state == .trial ? .active : snapshot.state, raw: snapshot.stateRaw,
            productID: snapshot.productID, autoRenew: snapshot.autoRenew,
            autoRenewProductID: snapshot.autoRenewProductID, expiresAt: snapshot.expiresAt,
            graceExpiresAt: snapshot.graceExpiresAt, endReason: snapshot.endReason,
            revokedAt: snapshot.state == .revoked ? snapshot.endedAt : nil,
            committedUntil: snapshot.committedUntil, renewalPrice: snapshot.renewalPrice,
            sourceVersion: snapshot.sourceVersion ?? readAt)
    }
}
