// SPDX-License-Identifier: Apache-2.0

/// Reads the numbers of an instant one after the other.
struct InstantDigits {
    private var rest: Substring.UTF8View

    init(_ text: String.UTF8View) { rest = text[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// A number of exactly so many digits.
    mutating func number(_ count: Int) -> Int64? {
        var number: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// One to six digits behind the point, in millionths.
    mutating func fraction() -> Int64? {
        guard var fraction = digit() else { return nil }
        var unit: Int64 = 100_000
        while unit > 1, let digit = digit() {
            fraction = fraction * 10 + digit
            unit /= 10
        }
        return fraction * unit
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func digit() -> Int64? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }
}
