// SPDX-License-Identifier: Apache-2.0

import Foundations

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
        let days = CivilDate(year: Int(year), month: month + 1, day: Int(day)).daysSinceUnixEpoch
        return Int64(days) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// The same clock as mails write it (RFC 5322 §3.3): `Sun, 06 Nov 1994 08:49:37 +0000`.
    static func mailText(_ seconds: Int64) -> String {
        let (days, second) = Int(seconds).dividedRoundingDown(by: 86_400)
        let date = CivilDate(daysSinceUnixEpoch: days)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { pad($0, 2) }.joined(separator: ":")
        // 1 January 1970 was a Thursday.
        let weekday = weekdays[(days + 4).dividedRoundingDown(by: 7).remainder]
        return "\(weekday), \(pad(date.day, 2)) \(months[date.month - 1]) \(pad(date.year, 4)) \(clock) +0000"
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func number(_ text: Substring, digits: Int, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int64(text), range.contains(value)
        else { return nil }
        return value
    }
}
