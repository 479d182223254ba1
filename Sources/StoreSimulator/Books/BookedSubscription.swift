// SPDX-License-Identifier: Apache-2.0

/// What became of one subscription, as a reader that asked the store must know it.
///
/// Instants are microseconds since the Unix epoch (UTC).
package struct BookedSubscription: Hashable, Sendable, Codable {
    /// The states of the canonical tables that the stores can lead to.
    package enum State: String, Hashable, Sendable, Codable, CaseIterable {
        /// Known by a row in somebody else's answer, never asked itself.
        case unverified
        case pending, trial, active, grace
        case billingRetry = "billing_retry"
        case paused, expired, revoked
        /// The store has forgotten it before any answer disclosed it.
        case unreachable
    }

    /// One product of a purchase that holds several.
    package struct Item: Hashable, Sendable, Codable {
        package var productID: String
        package var expiresAt: Int64
        package var autoRenew: Bool
        /// Its latest settled order.
        package var latestTransactionID: String?
        /// When the store took it back; its row stays until the period is over.
        package var revokedAt: Int64?
    }

    package var appID: String
    /// The store key: the App Store's original transaction id, Google Play's purchase token.
    package var originalTransactionID: String
    package var state: State
    /// Whether it renews itself; nil while unverified.
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    /// Until when payments are committed to, of a plan that was cancelled.
    package var committedUntil: Int64?
    /// What the store says that the next renewal costs, in micros; nil where it says nothing.
    package var renewalMicros: Int64?
    package var renewalCurrency: String?
    /// The product of the newest known period.
    package var productID: String
    /// The expiry of the newest known period.
    package var expiresAt: Int64
    /// The end of the grace period; only while the state is `grace`.
    package var graceExpiresAt: Int64?
    /// Why it ended; nil while it has not.
    package var endReason: EndReason?
    /// The products, where there are several (Google Play's add-ons), in the store's order.
    package var items: [Item] = []
    /// The store key of the purchase that this one takes the place of.
    package var linkedTo: String?
}

/// Why a subscription ended, in the store's own judgement.
package enum EndReason: String, Hashable, Sendable, Codable, CaseIterable {
    case voluntary, involuntary, price, product, developer, refund, revoke, replaced, unknown
}
