// SPDX-License-Identifier: Apache-2.0

/// One product of a purchase that holds several.
package struct SubscriptionItem: Hashable, Sendable {
    package let productID: String
    package private(set) var expiresAt: Instant?
    package let autoRenew: Bool?
    /// Its latest paid order; nil for a product that comes with the next renewal.
    package let latestTransactionID: String?

    /// The same, at least until then.
    package func extended(to end: Instant?) -> SubscriptionItem {
        var item = self
        if let end, let expiry = expiresAt { item.expiresAt = max(expiry, end) }
        return item
    }

    package init(productID: String, expiresAt: Instant?, autoRenew: Bool?, latestTransactionID: String?) {
        self.productID = productID
        self.expiresAt = expiresAt
        self.autoRenew = autoRenew
        self.latestTransactionID = latestTransactionID
    }
}
