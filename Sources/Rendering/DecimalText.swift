// SPDX-License-Identifier: Apache-2.0

/// Decimals as the server prints them: `-12.345`.
package enum DecimalText {
    private static let places = 6

    /// Millionths; nil where the text is no decimal, has more than six decimals, or more than the number holds.
    package static func micros<Number: FixedWidthInteger & SignedInteger>(_ text: String) -> Number? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        var micros: Number = 0
        var digits = 0
        var decimals: Int?
        for byte in text.utf8.dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), decimals == nil, digits > 0 {
                decimals = 0
                continue
            }
            guard append(byte, to: &micros), decimals ?? 0 < places else { return nil }
            digits += 1
            decimals = decimals.map { $0 + 1 }
        }
        guard digits > 0 else { return nil }
        for _ in (decimals ?? 0)..<places {
            guard append(UInt8(ascii: "0"), to: &micros) else { return nil }
        }
        return isNegative ? -micros : micros
    }

    /// False for what is no digit, or one too many.
    private static func append<Number: FixedWidthInteger>(_ byte: UInt8, to number: inout Number) -> Bool {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return false }
        let (shifted, isOver) = number.multipliedReportingOverflow(by: 10)
        let (sum, isBeyond) = shifted.addingReportingOverflow(Number(byte - UInt8(ascii: "0")))
        number = sum
        return !isOver && !isBeyond
    }
}
