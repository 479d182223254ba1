// SPDX-License-Identifier: Apache-2.0

/// Splits an amount of a whole transaction over its lines or items, in integers.
package enum Shares {
    /// In proportion to the weights, each share rounded down; what is left goes to the first parts that weigh anything, a micro
    /// each. The shares sum up to the amount exactly. Without any weight all goes to the first part.
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

    /// The amount as it was before a part was taken off the whole: amount × whole ÷ (whole − part), half up. Nil where
    /// nothing of the whole is left.
    package static func grossedUp(_ amount: Int64, whole: Int64, without part: Int64) -> Int64? {
        guard part > 0 else { return amount }
        guard whole > part else { return nil }
        let (dividend, divisor) = (Int128(amount) * Int128(whole), Int128(whole - part))
        return Int64(exactly: (2 * dividend + divisor) / (2 * divisor))
    }
}
