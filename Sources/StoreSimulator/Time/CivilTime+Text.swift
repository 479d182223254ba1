// SPDX-License-Identifier: Apache-2.0

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
        "\(padded(fields.year, 4))-\(padded(fields.month, 2))-\(padded(fields.day, 2))"
    }

    private static func time(_ fields: Fields) -> String {
        let seconds = fields.secondOfDay
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
