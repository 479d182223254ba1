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
