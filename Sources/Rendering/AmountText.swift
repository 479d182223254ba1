// SPDX-License-Identifier: Apache-2.0

internal import Model

/// Amounts and shares as people read them, from integers only: rounded half to even, thousands apart.
package enum AmountText {
    /// `1,234.56` for micros of a currency with cents; a minus sign in front of negative ones.
    package static func amount(_ micros: Int64, in currency: String) -> String {
        let digits = Money.minorDigits(of: currency)
        return decimal(rounded(micros.magnitude, to: power(6 - digits)), digits, isNegative: micros < 0)
    }

    /// `1.23` for millionths of a figure that is no money.
    static func plain(_ micros: Int64) -> String {
        decimal(rounded(micros.magnitude, to: 10_000), 2, isNegative: micros < 0)
    }

    /// `1,234`.
    package static func count(_ value: Int64) -> String { decimal(value.magnitude, 0, isNegative: value < 0) }

    /// `+12`, `−3`, `±0`.
    static func change(_ value: Int64) -> String { sign(value) + count(Int64(clamping: value.magnitude)) }

    /// The same with an amount.
    static func change(_ micros: Int64, in currency: String) -> String {
        let text = amount(Int64(clamping: micros.magnitude), in: currency)
        return text.contains { ("1"..."9").contains($0) } ? sign(micros) + text : "±" + text
    }

    /// `5.3%`; nil where there is no whole, or the figures are beyond reckoning.
    package static func share(_ part: Int64, of whole: Int64) -> String? {
        thousandths(part, of: whole).map { decimal($0.magnitude, 1, isNegative: $0 < 0) + "%" }
    }

    /// By how much something grew: `+5.3%`; nil where there was nothing.
    static func growth(_ part: Int64, from whole: Int64) -> String? {
        let (grown, overflow) = part.subtractingReportingOverflow(whole)
        return overflow ? nil : share(grown, of: whole).map { grown > 0 ? "+" + $0 : $0 }
    }

    /// How far two shares are apart in points of a percent, as they are read: `+1.2`.
    static func points(_ part: Int64, of whole: Int64, against other: Int64, of otherWhole: Int64) -> String? {
        guard let new = thousandths(part, of: whole), let old = thousandths(other, of: otherWhole) else { return nil }
        return sign(new - old) + decimal((new - old).magnitude, 1, isNegative: false)
    }

    /// An amount for each of several.
    static func quotient(_ amount: Int64, by count: Int64) -> Int64 {
        let magnitude = Int64(clamping: rounded(amount.magnitude, to: count.magnitude))
        return amount < 0 ? -magnitude : magnitude
    }

    private static func thousandths(_ part: Int64, of whole: Int64) -> Int64? {
        let (product, overflow) = part.multipliedReportingOverflow(by: 1_000)
        guard whole > 0, !overflow else { return nil }
        return product < 0 ? -quotient(-product, by: whole) : quotient(product, by: whole)
    }

    private static func sign(_ value: Int64) -> String { value > 0 ? "+" : value < 0 ? "−" : "±" }

    private static func power(_ exponent: Int) -> UInt64 { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    private static func rounded(_ value: UInt64, to unit: UInt64) -> UInt64 {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
        let isUp = rest > unit - rest || (rest == unit - rest && quotient % 2 == 1)
        return rest > 0 && isUp ? quotient + 1 : quotient
    }

    private static func decimal(_ value: UInt64, _ digits: Int, isNegative: Bool) -> String {
        let (whole, fraction) = value.quotientAndRemainder(dividingBy: power(digits))
        let tail = String(fraction)
        let point = digits == 0 ? "" : "." + String(repeating: "0", count: digits - tail.count) + tail
        return (isNegative && value > 0 ? "−" : "") + grouped(String(whole)) + point
    }

    private static func grouped(_ digits: String) -> String {
        let reversed = Array(digits.reversed())
        let groups = stride(from: 0, to: reversed.count, by: 3).map { start in
            String(reversed[start..<min(start + 3, reversed.count)])
        }
        return String(groups.joined(separator: ",").reversed())
    }
}
