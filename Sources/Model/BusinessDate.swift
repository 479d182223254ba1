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
        guard let date = try? Date(text, strategy: Self.style.parseStrategy), Self.style.format(date) == text else {
            return nil
        }
        self.description = text
    }

    package static func < (left: BusinessDate, right: BusinessDate) -> Bool { left.description < right.description }

    private static let style = Date.ISO8601FormatStyle().year().month().day()

    private static func format(_ date: Date, _ calendar: Calendar) -> String {
        Date.ISO8601FormatStyle(timeZone: calendar.timeZone).year().month().day().format(date)
    }
}
