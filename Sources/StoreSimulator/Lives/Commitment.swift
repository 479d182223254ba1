// SPDX-License-Identifier: Apache-2.0

/// A year's plan that is paid by the month: which of its months a period is.
package struct Commitment: Hashable, Sendable {
    /// The months of every commitment.
    package static let months: Int64 = 12

    /// From 1 to `months`.
    package var number: Int64
    /// The end of its last month.
    package var expiresAt: Int64
    /// What all its months cost together; nil where the store forgot it.
    package var priceMilliunits: Int64?

    package init(number: Int64, expiresAt: Int64, priceMilliunits: Int64?) {
        self.number = number
        self.expiresAt = expiresAt
        self.priceMilliunits = priceMilliunits
    }

    var isLast: Bool { number == Self.months }
}
