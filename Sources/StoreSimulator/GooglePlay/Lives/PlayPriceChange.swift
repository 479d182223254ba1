// SPDX-License-Identifier: Apache-2.0

/// A price that is to change, or has changed, as an item shows it.
///
/// Money is micros.
package struct PlayPriceChange: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        case decrease = "PRICE_DECREASE"
        /// The customer must accept it.
        case optIn = "PRICE_INCREASE"
        /// It comes unless the customer leaves.
        case optOut = "OPT_OUT_PRICE_INCREASE"
    }

    package enum State: String, Hashable, Sendable, CaseIterable {
        case outstanding = "OUTSTANDING"
        case confirmed = "CONFIRMED"
        case applied = "APPLIED"
        case cancelled = "CANCELED"
    }

    package var mode: Mode
    package var state: State
    /// As the store shows prices.
    package var newMicros: Int64
    /// Shown only until it is in force.
    package var expectedAt: Int64?
}
