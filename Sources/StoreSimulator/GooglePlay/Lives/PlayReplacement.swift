// SPDX-License-Identifier: Apache-2.0

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
