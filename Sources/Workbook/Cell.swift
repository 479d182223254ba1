// SPDX-License-Identifier: Apache-2.0

/// What a cell holds.
///
/// There is no case for a formula: nothing that is written here is ever run.
package enum Cell: Sendable, Hashable {
    /// Unknown: the cell stays empty.
    case empty
    case text(String)
    /// A count, an amount, a share; or a day or an instant, as spreadsheets number them.
    case number(Double)

    /// Digits that a spreadsheet keeps of a number.
    package static let significantDigits = 15

    /// The number, where a spreadsheet keeps every digit of it; else its text.
    package init(decimal text: String) {
        guard Self.countSignificantDigits(text) <= Self.significantDigits, let number = Double(text), number.isFinite
        else {
            self = .text(text)
            return
        }
        self = .number(number)
    }

    /// A day as `yyyy-mm-dd`; text where a spreadsheet has no such day.
    package init(day text: String) {
        guard let day = SerialDay(iso: text) else {
            self = .text(text)
            return
        }
        self = .number(Double(day.number))
    }

    /// A month as `yyyy-mm`: its first day; text where a spreadsheet has no such day.
    package init(month text: String) {
        self = SerialDay(iso: text + "-01") == nil ? .text(text) : Cell(day: text + "-01")
    }

    /// An instant as whole seconds since 1970, shown in UTC; text where a spreadsheet has no such day.
    package init(instant text: String) {
        guard let seconds = Int64(text), SerialDay.seconds.contains(seconds) else {
            self = .text(text)
            return
        }
        self = .number(Double(seconds) / 86_400 + Double(SerialDay.ofUnixEpoch))
    }

    /// From the first digit that is not zero to the last one.
    private static func countSignificantDigits(_ text: String) -> Int {
        var count = 0
        var zeros = 0
        for byte in text.utf8 where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            if byte == UInt8(ascii: "0") {
                zeros += count > 0 ? 1 : 0
            } else {
                count += zeros + 1
                zeros = 0
            }
        }
        return count
    }
}
