// SPDX-License-Identifier: Apache-2.0

/// Facts of one transaction that no later period depends on: booked as the store reports them.
package struct SaleFacts: Hashable, Sendable {
    /// Of the first transaction of its timeline; its own id for a one-time sale.
    package var originalTransactionID: String
    package var subscriptionGroup: String?
    package var ownership: Ownership
    package var quantity: Int64
    package var priceSource: PriceSource
    /// The tax in the price, micros; nil where the store did not say.
    package var taxMicros: Int64?
    /// What a whole period of the plan costs, where this one was sold as the rest of another after a change of plan; else nil.
    package var recurringPriceMicros: Int64?
    /// Micros that the store itself paid of the price (Play Points); nil where nothing.
    package var storeDiscountMicros: Int64?
    /// The transaction of the bundle that includes this one: it gives access, and the bundle's own row is the subscriber; else nil.
    package var bundleTransactionID: String?
    /// When the store signed or sent this image: an older one never overwrites a newer one.
    package var sourceVersion: Instant
    /// Whether the answer could show an upgrade; where not, what another answer showed stays.
    package var statesUpgrade = true

    package init(
        originalTransactionID: String, subscriptionGroup: String? = nil, ownership: Ownership = .purchased,
        quantity: Int64 = 1, priceSource: PriceSource, taxMicros: Int64? = nil, recurringPriceMicros: Int64? = nil,
        storeDiscountMicros: Int64? = nil, bundleTransactionID: String? = nil, sourceVersion: Instant
    ) {
        self.originalTransactionID = originalTransactionID
        self.subscriptionGroup = subscriptionGroup
        self.ownership = ownership
        self.quantity = quantity
        self.priceSource = priceSource
        self.taxMicros = taxMicros
        self.recurringPriceMicros = recurringPriceMicros
        self.storeDiscountMicros = storeDiscountMicros
        self.bundleTransactionID = bundleTransactionID
        self.sourceVersion = sourceVersion
    }
}
