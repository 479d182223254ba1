// SPDX-License-Identifier: Apache-2.0

/// What the store says that the next renewal costs.
package struct RenewalPrice: Hashable, Sendable {
    package let micros: Int64
    /// ISO 4217.
    package let currency: String

    /// Nil for what is no price: a negative one, or one without a currency.
    package init?(micros: Int64, currency: String) {
        guard micros >= 0, Money.isCurrencyCode(currency) else { return nil }
        (self.micros, self.currency) = (micros, currency)
    }
}
