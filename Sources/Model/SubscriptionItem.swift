// SPDX-License-Identifier: Apache-2.0

/// One product of a purchase that holds several.
package struct SubscriptionItem: Hashable, Sendable {
    package let productID: String
    package private(set) var expiresAt: Instant?
    package let autoRenew: Bool?
    /// Its latest paid order; nil for a product that comes with the next renewal.
    package let latestTransactionID: String?
    /// It was taken back then, while others of its purchase were held or not.
    package let revokedAt: Instant?

    /// The same, at least until then.
    package func extended(to end: Instant?) -> SubscriptionItem {
        var item = self
        if let end, let expiry = expiresAt { item.expiresAt = max(expiry, end) }
        return item
    }

    package init(
        productID: String, expiresAt: Instant?, autoRenew: Bool?, latestTransactionID: String?,
        revokedAt: Instant? = nil
    ) {
        self.productID = productID
        self.expiresAt = expiresAt
        self.autoRenew = autoRenew
        self.latestTransactionID = latestTransactionID
        self.revokedAt = revokedAt
    }
}
