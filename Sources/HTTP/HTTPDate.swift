// SPDX-License-Identifier: Apache-2.0

/// Reads the date form servers must send (IMF-fixdate, RFC 9110 §5.6.7), to compare our clock with theirs.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since the Unix epoch of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    static func seconds(from text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[0].last == ",", parts[5] == "GMT",
            let day = number(parts[1], digits: 2, in: 1...31),
            let month = months.firstIndex(of: String(parts[2])),
            let year = number(parts[3], digits: 4, in: 1...9999)
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3,
            let hour = number(clock[0], digits: 2, in: 0...23),
            let minute = number(clock[1], digits: 2, in: 0...59),
            let second = number(clock[2], digits: 2, in: 0...60)
        else { return nil }
        return daysSinceEpoch(year: year, month: Int64(month) + 1, day: day) * 86_400
            + hour * 3_600 + minute * 60 + second
    }

    /// The same clock as mails write it (RFC 5322 §3.3): `Sun, 06 Nov 1994 08:49:37 +0000`.
    static func mailText(_ seconds: Int64) -> String {
        let days = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
        let (year, month, day) = civil(daysSinceEpoch: days)
        let second = seconds - days * 86_400
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { pad($0, 2) }.joined(separator: ":")
        // 1 January 1970 was a Thursday.
        let weekday = weekdays[Int(((days + 4) % 7 + 7) % 7)]
        return "\(weekday), \(pad(day, 2)) \(months[Int(month) - 1]) \(pad(year, 4)) \(clock) +0000"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func pad(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The other way round of `daysSinceEpoch`, for years after Christ.
    private static func civil(daysSinceEpoch days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func number(_ text: Substring, digits: Int, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(text), range.contains(value)
        else { return nil }
        return value
    }

    /// Counts days in years that begin in March, so that the leap day is the last of its year.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month > 2 ? year : year - 1
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
        return shiftedYear * 365 + leapDays + dayOfYear - 719_468
    }
}
