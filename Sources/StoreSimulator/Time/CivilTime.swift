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

/// Its texts.
extension CivilTime {
    /// `yyyy-mm-dd` of a day number.
    package static func date(ofDay number: Int64) -> String {
        date(fields(of: number * day))
    }

    /// `yyyy-mm` of the month that holds the instant, in UTC.
    package static func month(of instant: Int64) -> String { String(date(ofDay: dayNumber(of: instant)).prefix(7)) }

    /// The day number of `yyyy-mm-dd`, or nil when the text is not one.
    package static func dayNumber(ofDate text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        return dayNumber(year: year, month: month, day: day)
    }

    /// `yyyy-mm-ddThh:mm:ssZ`; fractions of a second are cut.
    package static func iso8601(_ instant: Int64) -> String {
        let fields = fields(of: instant)
        return "\(date(fields))T\(time(fields))Z"
    }

    /// The instant of `yyyy-mm-dd`, `yyyy-mm-ddThh:mm:ssZ` or the latter with a fraction; nil for anything else.
    package static func instant(iso8601 text: String) -> Int64? {
        guard let number = dayNumber(ofDate: String(text.prefix(10))) else { return nil }
        if text.utf8.count == 10 { return number * day }
        guard text.hasSuffix("Z"), text.dropFirst(10).first == "T" else { return nil }
        let clock = text.dropFirst(11).dropLast().split(separator: ".", maxSplits: 1)
        guard let whole = clock.first else { return nil }
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 3, let hours = parts[0], let minutes = parts[1], let seconds = parts[2] else { return nil }
        guard (0..<24).contains(hours), (0..<60).contains(minutes), (0..<60).contains(seconds) else { return nil }
        var fraction: Int64 = 0
        if clock.count == 2 {
            let digits = clock[1].prefix(6)
            guard let value = Int64(digits) else { return nil }
            fraction = (digits.utf8.count..<6).reduce(value) { value, _ in value * 10 }
        }
        return number * day + hours * hour + minutes * minute + seconds * second + fraction
    }

    /// The receipt's form in UTC: `yyyy-mm-dd hh:mm:ss Etc/GMT`.
    static func receiptForm(_ instant: Int64) -> String {
        let fields = fields(of: instant)
        return "\(date(fields)) \(time(fields)) Etc/GMT"
    }

    /// The receipt's form in Cupertino: `yyyy-mm-dd hh:mm:ss America/Los_Angeles`.
    static func pacificForm(_ instant: Int64) -> String {
        let fields = fields(of: instant + pacificOffset(at: instant))
        return "\(date(fields)) \(time(fields)) America/Los_Angeles"
    }

    /// The offset of Los Angeles from UTC: summer time from the second Sunday of March to the first of November, each
    /// time at two o'clock local time (the rule since 2007).
    static func pacificOffset(at instant: Int64) -> Int64 {
        let year = fields(of: instant).year
        let summer = sunday(2, of: 3, year: year) * day + 10 * hour
        let winter = sunday(1, of: 11, year: year) * day + 9 * hour
        return (summer..<winter).contains(instant) ? -7 * hour : -8 * hour
    }

    /// The day number of the nth Sunday of a month.
    private static func sunday(_ nth: Int64, of month: Int64, year: Int64) -> Int64 {
        let first = dayNumber(year: year, month: month, day: 1)
        // 1970-01-01 was a Thursday: day numbers that leave 3 when divided by 7 are Sundays.
        return first + (10 - first % 7) % 7 + (nth - 1) * 7
    }

    private static func date(_ fields: Fields) -> String {
        "\(fields.year.padded(to: 4))-\(fields.month.padded(to: 2))-\(fields.day.padded(to: 2))"
    }

    private static func time(_ fields: Fields) -> String {
        let seconds = fields.secondOfDay
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension Int64 {
    /// Its digits, with zeros before them where they are fewer than that.
    func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
