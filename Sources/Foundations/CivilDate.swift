// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, which is reckoned back beyond its introduction (proleptic), as ISO 8601 and PostgreSQL do.
///
/// It has no time zone: a day since the Unix epoch is one of whatever zone its instants were counted in. Both ways after Howard
/// Hinnant's `days_from_civil` and `civil_from_days`: years begin in March, so that a leap day is the last one of its year, and
/// repeat after 400.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// 0 is 1 BC, -1 is 2 BC.
    package let year: Int
    /// 1 is January.
    package let month: Int
    /// Of the month, from 1.
    package let day: Int

    /// A day that is known to be one: nothing is checked.
    ///
    /// A day beyond its month's end counts on into the next one.
    ///
    /// `month`: in 1...12.
    package init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// - Parameter days: whole days since 1970-01-01, negative before.
    package init(daysSinceUnixEpoch days: Int) {
        let (era, dayOfEra) = (days + Self.daysToUnixEpoch).dividedRoundingDown(by: Self.daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    }

    /// From `yyyy-mm-dd`; nil for any other form, and for what is no day of the calendar.
    package init?(iso text: String) {
        guard let numbers = Self.numbers(text.utf8) else { return nil }
        self = numbers
        guard (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day) else { return nil }
    }

    /// Whole days since 1970-01-01, negative before.
    package var daysSinceUnixEpoch: Int {
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).dividedRoundingDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysOfEra + dayOfEra - Self.daysToUnixEpoch
    }

    /// `yyyy-mm-dd`, of the years 0 to 9999.
    package var iso: String { "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))" }

    /// The earlier day is the lesser.
    package static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// Of 400 years.
    private static let daysOfEra = 146_097
    /// From 1 March of the year 0.
    private static let daysToUnixEpoch = 719_468

    /// `month`: in 1...12.
    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The numbers of `yyyy-mm-dd`, whatever they are.
    private static func numbers(_ text: String.UTF8View) -> CivilDate? {
        guard text.count == 10 else { return nil }
        var numbers = (year: 0, month: 0, day: 0)
        for (place, byte) in text.enumerated() {
            guard place != 4, place != 7 else {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let digit = Int(byte - UInt8(ascii: "0"))
            switch place {
            case ..<4: numbers.year = numbers.year * 10 + digit
            case ..<7: numbers.month = numbers.month * 10 + digit
            default: numbers.day = numbers.day * 10 + digit
            }
        }
        return CivilDate(year: numbers.year, month: numbers.month, day: numbers.day)
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
