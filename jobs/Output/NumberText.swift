// SPDX-License-Identifier: Apache-2.0

extension Int64 {
    /// `1,234,567`.
    var grouped: String {
        let digits = Array(String(magnitude).reversed())
        let groups = stride(from: 0, to: digits.count, by: 3).map { start in
            String(digits[start..<Swift.min(start + 3, digits.count)].reversed())
        }
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// Micros of a currency as an exact amount, never rounded: `1,234`, `4.99`, `0.123456`.
    var amount: String {
        let (whole, fraction) = magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = self < 0 ? "-" : ""
        guard fraction > 0 else { return sign + Int64(whole).grouped }
        var digits = String(repeating: "0", count: 6 - String(fraction).count) + String(fraction)
        while digits.count > 2, digits.hasSuffix("0") { digits.removeLast() }
        return sign + Int64(whole).grouped + "." + digits
    }
}
