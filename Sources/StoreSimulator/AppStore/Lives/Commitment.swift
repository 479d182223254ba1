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

    var isLast: Bool { number == Self.months }

    /// What all its months cost together where a year at once costs that: a tenth more.
    static func price(ofYear milliunits: Int64) -> Int64 { milliunits * 11 / 10 }

    /// One of the months, in whole hundredths.
    static func monthlyPrice(ofYear milliunits: Int64) -> Int64 { price(ofYear: milliunits) / months / 10 * 10 }
}
