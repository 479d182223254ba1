// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The day a run is about: the last complete day in the report time zone before the run's now.
package struct BusinessDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// `yyyy-mm-dd`.
    package let description: String

    package init(lastCompleteDayBefore now: Instant, in zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let today = calendar.startOfDay(for: now.date)
        let yesterday = calendar.date(byAdding: .day, value: -1, to: today) ?? today
        self.description = Self.format(yesterday, calendar)
    }

    /// From `yyyy-mm-dd`; nil when that is no day of the calendar.
    package init?(_ text: String) {
        guard let isDay = Self.isModernDay(text) ?? Self.isDay(text), isDay else { return nil }
        self.description = text
    }

    private static func isDay(_ text: String) -> Bool? {
        (try? Date(text, strategy: style.parseStrategy)).map { style.format($0) == text }
    }

    /// Whether it is a day since the calendar is the Gregorian one, by its rule: price lists have a hundred thousand.
    /// Nil for texts of any other form.
    private static func isModernDay(_ text: String) -> Bool? {
        let bytes = Array(text.utf8)
        let digits = bytes.enumerated().filter { ![4, 7].contains($0.offset) }.map { Int($0.element) - 48 }
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            digits.allSatisfy((0...9).contains)
        else { return nil }
        let (year, month) = (digits[..<4].reduce(0) { $0 * 10 + $1 }, digits[4] * 10 + digits[5])
        guard year > 1_582, (1...12).contains(month) else { return nil }
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        return (1...days).contains(digits[6] * 10 + digits[7])
    }

    package static func < (left: BusinessDate, right: BusinessDate) -> Bool { left.description < right.description }

    private static let style = Date.ISO8601FormatStyle().year().month().day()

    private static func format(_ date: Date, _ calendar: Calendar) -> String {
        Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day().format(date)
    }
}
