// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Foundations

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
        guard Self.isModernDay(text) || Self.isDay(text) else { return nil }
        self.description = text
    }

    private static func isDay(_ text: String) -> Bool {
        (try? Date(text, strategy: style.parseStrategy)).map { style.format($0) == text } ?? false
    }

    /// Whether it is a day since the calendar is the Gregorian one: price lists have a hundred thousand.
    private static func isModernDay(_ text: String) -> Bool { CivilDate(iso: text).map { $0.year > 1_582 } ?? false }

    package static func < (left: BusinessDate, right: BusinessDate) -> Bool { left.description < right.description }

    private static let style = Date.ISO8601FormatStyle().year().month().day()

    private static func format(_ date: Date, _ calendar: Calendar) -> String {
        Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day().format(date)
    }
}
