// SPDX-License-Identifier: Apache-2.0

/// Instants as microseconds since the Unix epoch, and the calendar the store and its books write them in.
///
/// Proleptic Gregorian, UTC unless a function says otherwise; no clock is read here.
package enum CivilTime {
    package static let second: Int64 = 1_000_000
    package static let minute: Int64 = 60 * second
    package static let hour: Int64 = 60 * minute
    package static let day: Int64 = 24 * hour

    /// A date and a time of day, in whatever zone its maker chose.
    package struct Fields: Hashable, Sendable {
        package var year: Int64
        package var month: Int64
        package var day: Int64
        package var secondOfDay: Int64
    }

    /// The days from 1970-01-01 to the civil date.
    package static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of the day (since 1970-01-01) that holds the instant.
    package static func dayNumber(of instant: Int64) -> Int64 {
        instant >= 0 ? instant / day : (instant - day + 1) / day
    }

    /// The civil fields of an instant, in UTC.
    package static func fields(of instant: Int64) -> Fields {
        let number = dayNumber(of: instant)
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return Fields(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, secondOfDay: (instant - number * day) / second)
    }

    /// The instant of a civil date and second in UTC.
    package static func instant(year: Int64, month: Int64, day: Int64, secondOfDay: Int64 = 0) -> Int64 {
        dayNumber(year: year, month: month, day: day) * Self.day + secondOfDay * second
    }

    /// The same day of the month and time of day some months later, or the month's last day where it is shorter.
    package static func adding(months: Int64, to instant: Int64) -> Int64 {
        let fields = fields(of: instant)
        let index = fields.year * 12 + fields.month - 1 + months
        let (year, month) = (index / 12, index % 12 + 1)
        let (nextYear, nextMonth) = ((index + 1) / 12, (index + 1) % 12 + 1)
        let length =
            dayNumber(year: nextYear, month: nextMonth, day: 1) - dayNumber(year: year, month: month, day: 1)
        let timeOfDay = instant - dayNumber(of: instant) * day
        return dayNumber(year: year, month: month, day: min(fields.day, length)) * day + timeOfDay
    }
}
