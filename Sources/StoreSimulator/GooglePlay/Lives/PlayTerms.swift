// SPDX-License-Identifier: Apache-2.0

/// A price that is to change, or has changed, as an item shows it. Money is micros.
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

/// The consent that a Korean customer owes before the price steps up after an offer.
package struct PlayStepUp: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case pending = "PENDING"
        case confirmed = "CONFIRMED"
        case completed = "COMPLETED"
    }

    package var state: State
    package var newMicros: Int64
    package var deadline: Int64
}

/// A plan in which so many payments are promised.
package struct PlayInstalments: Hashable, Sendable {
    package var initial: Int
    package var remaining: Int
    /// Nil: afterwards it renews like any other.
    package var subsequent: Int?
    /// The customer left; the payments that were promised go on.
    package var isCancellationPending = false
}

/// What an item took the place of, and how; the store shows it for 60 days.
package struct PlayReplacement: Hashable, Sendable {
    package enum Mode: String, Hashable, Sendable, CaseIterable {
        case timeProration = "WITH_TIME_PRORATION"
        case proratedPrice = "CHARGE_PRORATED_PRICE"
        case withoutProration = "WITHOUT_PRORATION"
        case fullPrice = "CHARGE_FULL_PRICE"
        case deferred = "DEFERRED"
        /// The item stays what it is, under a new purchase.
        case keepExisting = "KEEP_EXISTING"
    }

    package var mode: Mode
    package var product: Product

    /// Whether it is shown for an item of this product: what is kept replaces itself, what comes later something else.
    func isShown(of item: Product) -> Bool {
        switch mode {
        case .keepExisting: item == product
        case .deferred: item != product
        case .timeProration, .proratedPrice, .withoutProration, .fullPrice: true
        }
    }
}
