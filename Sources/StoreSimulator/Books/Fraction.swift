// SPDX-License-Identifier: Apache-2.0

/// An exact number: nothing is rounded before it is shown.
package struct Fraction: Hashable, Sendable {
    private let numerator: Int128
    /// Above zero, and without a divisor in common with the numerator.
    private let denominator: Int128

    package static let zero = Fraction(0)

    /// Traps where the divisor is zero.
    package init(_ numerator: Int128, over denominator: Int128 = 1) {
        precondition(denominator != 0, "a fraction over zero")
        let divisor = Self.greatestDivisor(numerator.magnitude, denominator.magnitude)
        let sign: Int128 = denominator < 0 ? -1 : 1
        self.numerator = sign * numerator / Int128(divisor)
        self.denominator = sign * denominator / Int128(divisor)
    }

    package var isNegative: Bool { numerator < 0 }

    /// The nearest whole number; of two equally near ones the even one.
    package var rounded: Int64 { Self.nearest(numerator, over: denominator) }

    /// The same of a fraction that goes no further; the denominator is above zero.
    static func nearest(_ numerator: Int128, over denominator: Int128) -> Int64 {
        let (half, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        let distance = 2 * Int128(rest.magnitude)
        let isAway = distance > denominator || (distance == denominator && half % 2 != 0)
        return Int64(half + (isAway ? (numerator < 0 ? -1 : 1) : 0))
    }

    /// The part that it is of a whole, in millionths, half to even; nil of nothing.
    package func millionths(of whole: Fraction) -> Int64? {
        guard whole != .zero else { return nil }
        return Fraction(numerator * whole.denominator * 1_000_000, over: denominator * whole.numerator).rounded
    }

    package static func + (left: Fraction, right: Fraction) -> Fraction {
        Fraction(
            left.numerator * right.denominator + right.numerator * left.denominator,
            over: left.denominator * right.denominator)
    }

    package static func - (left: Fraction, right: Fraction) -> Fraction { left + -right }
    package static prefix func - (value: Fraction) -> Fraction { Fraction(-value.numerator, over: value.denominator) }
    package static func / (value: Fraction, divisor: Int128) -> Fraction {
        Fraction(value.numerator, over: value.denominator * divisor)
    }
    package static func += (left: inout Fraction, right: Fraction) { left = left + right }

    private static func greatestDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return max(left, 1)
    }
}

extension Term {
    /// What a month of a period at this price is worth: a month is 30.4375 days where the term is counted in days.
    package func monthly(_ micros: Int64) -> Fraction {
        switch self {
        case .days(let count): Fraction(Int128(micros) * 487, over: Int128(count) * 16)
        case .weeks(let count): Fraction(Int128(micros) * 487, over: Int128(count) * 7 * 16)
        case .months(let count): Fraction(Int128(micros), over: Int128(count))
        }
    }
}
