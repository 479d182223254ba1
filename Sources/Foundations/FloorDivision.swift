// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// Division that rounds towards minus infinity, so that the remainder is never negative: -1 divided by 7 is -1, and 6 remain.
    ///
    /// `divisor`: above 0.
    package func dividedRoundingDown(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
