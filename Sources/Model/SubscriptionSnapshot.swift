// SPDX-License-Identifier: Apache-2.0

/// What a subscription looked like when it was last read.
package struct SubscriptionSnapshot: Hashable, Sendable {
    package var state: SubscriptionState
    package var stateRaw: String?
    package var productID: String?
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    package var expiresAt: Instant?
    package var graceExpiresAt: Instant?
    /// When the access of an ended subscription really ended: expiry, unpaid grace end, or revocation.
    package var endedAt: Instant?
    package var endReason: EndReason?
    /// Until when payments are committed to, where the customer cancelled such a plan; nil where not.
    package var committedUntil: Instant?
    /// What the store says that the next renewal costs; nil where it does not.
    package var renewalPrice: RenewalPrice?
    package var lastCheckedAt: Instant?
    /// When a check of it last failed.
    package var lastFailedAt: Instant?
    package var failures: Int
    /// Nights since its last good answer on which the store refused it for now.
    package var refusals: Int
    /// When it was last refused for now.
    package var lastRefusedAt: Instant?
    /// How new the store's statement is that it is based on; nil where there is none yet.
    package var sourceVersion: Instant?

    package init(
        state: SubscriptionState = .unverified, stateRaw: String? = nil, productID: String? = nil,
        autoRenew: Bool? = nil, autoRenewProductID: String? = nil, expiresAt: Instant? = nil,
        graceExpiresAt: Instant? = nil, endedAt: Instant? = nil, endReason: EndReason? = nil,
        committedUntil: Instant? = nil, renewalPrice: RenewalPrice? = nil, lastCheckedAt: Instant? = nil,
        lastFailedAt: Instant? = nil, failures: Int = 0, refusals: Int = 0, lastRefusedAt: Instant? = nil,
        sourceVersion: Instant? = nil
    ) {
        self.state = state
        self.stateRaw = stateRaw
        self.productID = productID
        self.autoRenew = autoRenew
        self.autoRenewProductID = autoRenewProductID
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.endedAt = endedAt
        self.endReason = endReason
        self.committedUntil = committedUntil
        self.renewalPrice = renewalPrice
        self.lastCheckedAt = lastCheckedAt
        self.lastFailedAt = lastFailedAt
        self.failures = failures
        self.refusals = refusals
        self.lastRefusedAt = lastRefusedAt
        self.sourceVersion = sourceVersion
    }
}
