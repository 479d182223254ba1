// SPDX-License-Identifier: Apache-2.0

/// What became of one subscription, as a reader that asked the store must know it.
///
/// Instants are microseconds since the Unix epoch (UTC).
package struct BookedSubscription: Hashable, Sendable, Codable {
    /// The states of the canonical tables that the App Store can lead to.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// Known by a row in somebody else's answer, never asked itself.
        case unverified
        case trial, active, grace
        case billingRetry = "billing_retry"
        case expired, revoked
    }

    package var appID: String
    package var originalTransactionID: String
    package var state: State
    /// Whether it renews itself; nil while unverified.
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    /// The product of the newest known period.
    package var productID: String
    /// The expiry of the newest known period.
    package var expiresAt: Int64
    /// The end of the grace period; only while the state is `grace`.
    package var graceExpiresAt: Int64?
    /// Why it ended; nil while it has not.
    package var endReason: EndReason?

    package init(
        appID: String, originalTransactionID: String, state: State, autoRenew: Bool?, autoRenewProductID: String?,
        productID: String, expiresAt: Int64, graceExpiresAt: Int64?, endReason: EndReason?
    ) {
        self.appID = appID
        self.originalTransactionID = originalTransactionID
        self.state = state
        self.autoRenew = autoRenew
        self.autoRenewProductID = autoRenewProductID
        self.productID = productID
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.endReason = endReason
    }
}
