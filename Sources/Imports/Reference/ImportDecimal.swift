// SPDX-License-Identifier: Apache-2.0

/// A number of zero or more as a person writes it, `.` for the decimals, kept digit by digit.
struct ImportDecimal {
    private let whole: Substring
    private let fraction: Substring

    /// Up to twelve digits on each side of the point.
    init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, parts.allSatisfy(Self.isNumber) else { return nil }
        self.whole = whole
        self.fraction = parts.count > 1 ? parts[1] : ""
    }

    private static func isNumber(_ part: Substring) -> Bool {
        (1...12).contains(part.utf8.count)
            && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Digits behind the point that say something.
    var places: Int { fraction.reversed().drop { $0 == "0" }.count }
    var isZero: Bool { (whole + fraction).allSatisfy { $0 == "0" } }
    var text: String { fraction.isEmpty ? String(whole) : "\(whole).\(fraction)" }

    /// Millionths; nil if it has finer parts.
    var micros: Int64? {
        guard places <= 6 else { return nil }
        let digits = fraction.prefix(6)
        return Int64(whole + digits + String(repeating: "0", count: 6 - digits.count))
    }
}
