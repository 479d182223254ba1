// SPDX-License-Identifier: Apache-2.0

/// One subscription from its first day to its last: everything that ever happens to it, decided before it happens.
package struct SubscriptionLife: Hashable, Sendable {
    package var originalTransactionID: String
    package var groupID: String
    package var ownership: Ownership = .purchased
    /// Whether the app's backend ever handed it in; the others are found through somebody else's answer.
    package var isRegistered = true
    /// In the order they appeared.
    package var periods: [Period]
    /// The customer's switch; on until it is first moved.
    package var autoRenew: [Dated<Bool>] = []
    /// What it will renew into; the current product until first changed.
    package var renewalProduct: [Dated<String>] = []
    /// The customer's answer to a price increase; nil again once the new price was paid.
    package var priceConsent: [Dated<PriceConsent?>] = []
    /// What it came in place of, where its periods are a bundle's.
    package var bundle: Bundle?
    /// The transactions of the bundle that includes it, one for each of its periods; nil where it was bought by itself.
    package var includedIn: [String]?
    /// Whether it is a bundle, and sold as such.
    package var isBundle = false
    /// The period under whose transaction id the backend hands it in for the first time, and when; nil where it is handed in
    /// as it should be, when it is bought and by its original id.
    package var lateHandIn: Dated<Int>?

    /// A bundle's own subscription, in place of one that it includes.
    package struct Bundle: Hashable, Sendable {
        package var productID: String
        /// The original transaction id of what the customer had before.
        package var replaces: String
    }

    /// The App Store's number of what the customer said to a price increase.
    package enum PriceConsent: Int, Hashable, Sendable {
        case pending = 0
        case agreed = 1
    }
}
