// SPDX-License-Identifier: Apache-2.0

package import Model

/// The status of a subscription, as the store reports it.
package struct ObservedStatus: Hashable, Sendable {
    /// Nil: a value the store invented; the last state is kept.
    ///
    /// `active` includes trials: Transform separates them.
    package var state: SubscriptionState?
    package var raw: String?
    package var productID: String?
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    package var expiresAt: Instant?
    package var graceExpiresAt: Instant?
    package var endReason: EndReason?
    package var revokedAt: Instant?
    package var resumesAt: Instant?
    /// When the customer switched the renewal off, where the store dates it; nil where it does not, or it was not switched off.
    package var cancelledAt: Instant?
    /// Until when payments are committed to, where the customer cancelled a plan of so many payments; nil where not.
    ///
    /// While they are owed `autoRenew` is true.
    package var committedUntil: Instant?
    /// The plan is one of committed payments, cancelled or not; nil where the store does not say.
    package var isCommitted: Bool?
    /// What the next renewal costs, where the store says so.
    package var renewalPrice: RenewalPrice?
    /// When the store signed or sent this.
    package var sourceVersion: Instant

    package init(
        state: SubscriptionState?, raw: String? = nil, productID: String? = nil, autoRenew: Bool? = nil,
        autoRenewProductID: String? = nil, expiresAt: Instant? = nil, graceExpiresAt: Instant? = nil,
        endReason: EndReason? = nil, revokedAt: Instant? = nil, resumesAt: Instant? = nil,
        cancelledAt: Instant? = nil, committedUntil: Instant? = nil, isCommitted: Bool? = nil,
        renewalPrice: RenewalPrice? = nil, sourceVersion: Instant
    ) {
        self.state = state
        self.raw = raw
        self.productID = productID
        self.autoRenew = autoRenew
        self.autoRenewProductID = autoRenewProductID
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.endReason = endReason
        self.revokedAt = revokedAt
        self.resumesAt = resumesAt
        self.cancelledAt = cancelledAt
        self.committedUntil = committedUntil
        self.isCommitted = isCommitted
        self.renewalPrice = renewalPrice
        self.sourceVersion = sourceVersion
    }
}
