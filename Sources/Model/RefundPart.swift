// SPDX-License-Identifier: Apache-2.0

/// One of several sums that were given back for a charge, each on its own day.
package struct RefundPart: Hashable, Sendable {
    package let at: Instant
    /// Positive, in micros of the charge's currency.
    package let micros: Int64
    /// The tax in it, in micros; nil where the store does not say.
    package let taxMicros: Int64?
    /// Nothing was taken away with it: an item that lost money is still owned.
    package let isMoneyOnly: Bool

    package init(at: Instant, micros: Int64, taxMicros: Int64? = nil, isMoneyOnly: Bool = false) {
        self.at = at
        self.micros = micros
        self.taxMicros = taxMicros
        self.isMoneyOnly = isMoneyOnly
    }
}
