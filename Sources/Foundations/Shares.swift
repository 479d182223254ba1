// SPDX-License-Identifier: Apache-2.0

/// Apportions an amount exactly, in integers: over the lines of an order, the items of a row.
package enum Shares {
    /// The share of each part, in the order of the weights; together they are the amount.
    ///
    /// Each share is in proportion to its weight and rounded down; what is left goes to the first parts that weigh anything, one unit
    /// each. Without any weight all goes to the first part; of no parts there are no shares.
    ///
    /// `amount`: in the smallest unit that is given out, micros of a currency; not below 0.
    /// `weights`: of any unit; none below 0.
    package static func split(_ amount: Int64, by weights: [Int64]) -> [Int64] {
        guard !weights.isEmpty else { return [] }
        let whole = weights.reduce(Int128(0)) { $0 + Int128($1) }
        guard whole > 0 else { return [amount] + Array(repeating: 0, count: weights.count - 1) }
        var shares = weights.map { Int64(clamping: Int128(amount) * Int128($0) / whole) }
        var rest = amount - shares.reduce(0, +)
        for index in shares.indices where weights[index] > 0 && rest > 0 {
            shares[index] += 1
            rest -= 1
        }
        return shares
    }

    /// The amount as it was before a part was taken off the whole: amount × whole ÷ (whole − part), half up.
    ///
    /// Nil where nothing of the whole is left, or where the amount would not fit.
    package static func grossedUp(_ amount: Int64, whole: Int64, without part: Int64) -> Int64? {
        guard part > 0 else { return amount }
        guard whole > part else { return nil }
        let (dividend, divisor) = (Int128(amount) * Int128(whole), Int128(whole - part))
        return Int64(exactly: (2 * dividend + divisor) / (2 * divisor))
    }
}
