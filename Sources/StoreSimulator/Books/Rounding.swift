// SPDX-License-Identifier: Apache-2.0

/// Whole numbers out of divisions: the nearest one, and of two equally near ones the even one.
enum Rounding {
    /// The denominator is above zero.
    static func halfEven(_ numerator: Int128, over denominator: Int128) -> Int128 {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        let distance = 2 * Int128(rest.magnitude)
        let isAway = distance > denominator || (distance == denominator && whole % 2 != 0)
        return whole + (isAway ? (numerator < 0 ? -1 : 1) : 0)
    }

    /// Of two equally near ones the upper one; neither is below zero.
    static func halfUp(_ numerator: Int128, over denominator: Int128) -> Int64 {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        return Int64(whole + (rest * 2 >= denominator ? 1 : 0))
    }

    /// A sum of nanos (thousandths of a micro) as it is shown.
    static func micros(ofNanos nanos: Int128) -> Int64 { Int64(halfEven(nanos, over: 1_000)) }

    /// The part that it is of a whole, in millionths; nil of nothing.
    static func millionths(_ part: Int128, of whole: Int128) -> Int64? {
        guard whole != 0 else { return nil }
        let sign: Int128 = whole < 0 ? -1 : 1
        return Int64(halfEven(part * 1_000_000 * sign, over: whole * sign))
    }
}

extension Term {
    /// What a month of a period is worth that costs so many micros ÷ `divisor`: rounded once, here, to a nano (a
    /// thousandth of a micro), so that sums of it are exact.
    ///
    /// A month is 30.4375 days, 487 ÷ 16, where the term is counted in days.
    func monthlyNanos(of micros: Int128, over divisor: Int128 = 1) -> Int128 {
        switch self {
        case .days(let count): Rounding.halfEven(micros * 1_000 * 487, over: Int128(count) * 16 * divisor)
        case .weeks(let count): Rounding.halfEven(micros * 1_000 * 487, over: Int128(count) * 7 * 16 * divisor)
        case .months(let count): Rounding.halfEven(micros * 1_000, over: Int128(count) * divisor)
        }
    }
}
