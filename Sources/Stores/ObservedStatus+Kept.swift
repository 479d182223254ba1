// SPDX-License-Identifier: Apache-2.0

package import Model

extension ObservedStatus {
    /// Where a subscription stands when only its refunds were looked for and nothing was asked of its state: as it was,
    /// and no newer than the word it stands on: what the store says of it next is not overtaken by this.
    ///
    /// - Parameter readAt: when the store answered, for what it never told of before.
    package init(keeping snapshot: SubscriptionSnapshot, readAt: Instant) {
        self.init(
            state: snapshot.state == .trial ? .active : snapshot.state, raw: snapshot.stateRaw,
            productID: snapshot.productID, autoRenew: snapshot.autoRenew,
            autoRenewProductID: snapshot.autoRenewProductID, expiresAt: snapshot.expiresAt,
            graceExpiresAt: snapshot.graceExpiresAt, endReason: snapshot.endReason,
            revokedAt: snapshot.state == .revoked ? snapshot.endedAt : nil,
            sourceVersion: snapshot.sourceVersion ?? readAt)
    }
}
