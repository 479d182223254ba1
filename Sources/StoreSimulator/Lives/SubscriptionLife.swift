// SPDX-License-Identifier: Apache-2.0

/// One subscription from its first day to its last: everything that ever happens to it, decided before it happens.
package struct SubscriptionLife: Hashable, Sendable {
    /// A fact that holds from an instant on.
    package struct Dated<Value: Hashable & Sendable>: Hashable, Sendable {
        package var at: Int64
        package var value: Value

        package init(at: Int64, _ value: Value) {
            self.at = at
            self.value = value
        }
    }

    package var originalTransactionID: String
    package var groupID: String
    package var ownership: Ownership
    /// Whether the app's backend ever handed it in; the others are found through somebody else's answer.
    package var isRegistered: Bool
    /// In the order they appeared.
    package var periods: [Period]
    /// The customer's switch; on until it is first moved.
    package var autoRenew: [Dated<Bool>]
    /// What it will renew into; the current product until first changed.
    package var renewalProduct: [Dated<String>]
    /// The customer's answer to a price increase; nil again once the new price was paid.
    package var priceConsent: [Dated<PriceConsent?>] = []
    /// What it came in place of, where its periods are a bundle's.
    package var bundle: Bundle?
    /// The period under whose transaction id the backend hands it in for the first time, and when; nil where it is handed in
    /// as it should be, when it is bought and by its original id.
    package var lateHandIn: Dated<Int>?

    /// A subscription that a bundle includes.
    package struct Bundle: Hashable, Sendable {
        package var productID: String
        /// The original transaction id of what the customer had before.
        package var replaces: String

        package init(productID: String, replaces: String) {
            self.productID = productID
            self.replaces = replaces
        }
    }

    /// The App Store's number of what the customer said to a price increase.
    package enum PriceConsent: Int, Hashable, Sendable {
        case pending = 0
        case agreed = 1
    }

    package init(
        originalTransactionID: String, groupID: String, ownership: Ownership = .purchased, isRegistered: Bool = true,
        periods: [Period], autoRenew: [Dated<Bool>] = [], renewalProduct: [Dated<String>] = []
    ) {
        self.originalTransactionID = originalTransactionID
        self.groupID = groupID
        self.ownership = ownership
        self.isRegistered = isRegistered
        self.periods = periods
        self.autoRenew = autoRenew
        self.renewalProduct = renewalProduct
    }
}
