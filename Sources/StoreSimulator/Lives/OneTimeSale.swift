// SPDX-License-Identifier: Apache-2.0

/// Something sold once, apart from subscriptions; it covers no period.
package struct OneTimeSale: Hashable, Sendable, Refundable {
    /// The App Store's spelling.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case consumable = "Consumable"
        case nonConsumable = "Non-Consumable"
        case nonRenewing = "Non-Renewing Subscription"

        /// The last part of the product's id.
        var productName: String {
            switch self {
            case .consumable: "coins"
            case .nonConsumable: "lifetime"
            case .nonRenewing: "season"
            }
        }
    }

    /// Its original transaction id too.
    package var transactionID: String
    package var productID: String
    package var kind: Kind
    package var purchasedAt: Int64
    package var quantity: Int64
    /// For the whole quantity; nil where the store forgot it.
    package var priceMilliunits: Int64?
    package var offer: Offer?
    package var refund: Refund?
    package var refundChanges: [SubscriptionLife.Dated<Refund?>] = []

    package init(
        transactionID: String, productID: String, kind: Kind, purchasedAt: Int64, quantity: Int64 = 1,
        priceMilliunits: Int64?, offer: Offer? = nil
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.kind = kind
        self.purchasedAt = purchasedAt
        self.quantity = quantity
        self.priceMilliunits = priceMilliunits
        self.offer = offer
    }

    /// The last instant at or before `now` at which it was made or changed; nil while it does not exist.
    func lastModified(at now: Int64) -> Int64? {
        guard purchasedAt <= now else { return nil }
        return ([purchasedAt] + refundInstants).filter { $0 <= now }.max()
    }
}
