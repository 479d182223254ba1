// SPDX-License-Identifier: Apache-2.0

/// A day as spreadsheets number it: 1 January 1970 is 25569.
///
/// They take 1900 for a leap year, so that no day before March 1900 has a number they agree on; none after 9999 has one.
struct SerialDay {
    static let ofUnixEpoch = 25_569
    /// Instants from 1901 to 9999, in seconds since 1970.
    static let seconds: Range<Int64> = -2_177_452_800..<253_402_300_800

    let number: Int

    /// From `yyyy-mm-dd`; nil for anything else.
    init?(iso text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = Self.number(parts[0]), let month = Self.number(parts[1]), let day = Self.number(parts[2]),
            (1901...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        number = Self.daysSinceUnixEpoch(year, month, day) + Self.ofUnixEpoch
    }

    private static func number(_ digits: Substring.UTF8View) -> Int? {
        var number = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// Years are counted from March, so that a leap day is the last one of its year.
    private static func daysSinceUnixEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
