// SPDX-License-Identifier: Apache-2.0

import Foundations

/// `timestamptz` as text, both ways, in UTC with the ISO date style that every session is pinned to.
///
/// Instants are microseconds since the Unix epoch, PostgreSQL's own resolution, so nothing is rounded.
enum InstantText {
    private static let microsPerSecond: Int64 = 1_000_000
    private static let microsPerDay: Int64 = 86_400_000_000

    /// For example `2026-11-21 04:05:06.000789+00`; `Int64.min` and `.max` are the two infinities.
    static func format(micros: Int64) -> String {
        if micros == .min { return "-infinity" }
        if micros == .max { return "infinity" }
        let (day, time) = Int(micros).dividedRoundingDown(by: Int(microsPerDay))
        let date = CivilDate(daysSinceUnixEpoch: day)
        let (second, fraction) = Int64(time).quotientAndRemainder(dividingBy: microsPerSecond)
        var text: [UInt8] = []
        text.reserveCapacity(32)
        append(Int64(date.year > 0 ? date.year : 1 - date.year), 4, to: &text)
        append("-", Int64(date.month), 2, to: &text)
        append("-", Int64(date.day), 2, to: &text)
        append(" ", second / 3600, 2, to: &text)
        append(":", second / 60 % 60, 2, to: &text)
        append(":", second % 60, 2, to: &text)
        append(".", fraction, 6, to: &text)
        text += (date.year > 0 ? "+00" : "+00 BC").utf8
        return String(decoding: text, as: UTF8.self)
    }

    /// The instant, or nil if the text is not a UTC instant of that form.
    static func parse(_ text: String) -> Int64? { usual(text.utf8) ?? rare(text) }

    /// `yyyy-mm-dd hh:mm:ss`, a fraction or none, `+00`: nearly all there are, read in a tenth of the time.
    private static func usual(_ text: String.UTF8View) -> Int64? {
        var digits = InstantDigits(text)
        guard let year = digits.number(4), digits.take("-"), let month = digits.number(2), digits.take("-"),
            let dayOfMonth = digits.number(2), digits.take(" "), let hour = digits.number(2), digits.take(":"),
            let minute = digits.number(2), digits.take(":"), let second = digits.number(2),
            let fraction = digits.take(".") ? digits.fraction() : 0, digits.take("+"), digits.number(2) == 0,
            digits.isAtEnd
        else { return nil }
        let time = ((hour * 60 + minute) * 60 + second) * microsPerSecond + fraction
        return day(year: year, month: month, day: dayOfMonth) * microsPerDay + time
    }

    private static func rare(_ text: String) -> Int64? {
        if text == "infinity" { return .max }
        if text == "-infinity" { return .min }
        var parts = text.split(separator: " ")
        let isBeforeChrist = parts.last == "BC"
        if isBeforeChrist { parts.removeLast() }
        guard parts.count == 2, let date = numbers(parts[0], separator: "-"), date.count == 3,
            let time = microsOfDay(parts[1])
        else { return nil }
        let day = day(year: isBeforeChrist ? 1 - date[0] : date[0], month: date[1], day: date[2])
        let (dayMicros, overflow) = day.multipliedReportingOverflow(by: microsPerDay)
        let (micros, carry) = dayMicros.addingReportingOverflow(time)
        return overflow || carry ? nil : micros
    }

    private static func microsOfDay(_ text: Substring) -> Int64? {
        let clock = text.hasSuffix("+00") ? text.dropLast(3) : text
        let halves = clock.split(separator: ".", omittingEmptySubsequences: false)
        guard let fields = numbers(halves[0], separator: ":"), fields.count == 3, halves.count <= 2 else { return nil }
        let digits = halves.count == 2 ? halves[1] : "0"
        guard digits.count <= 6, let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.count)) else {
            return nil
        }
        return ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * microsPerSecond + fraction
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int64]? {
        let fields = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in field.allSatisfy(\.isNumber) ? Int64(field) : nil }
        return numbers.count == fields.count ? numbers : nil
    }

    private static func append(_ mark: Unicode.Scalar, _ number: Int64, _ digits: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: mark))
        append(number, digits, to: &text)
    }

    /// At least so many digits.
    private static func append(_ number: Int64, _ digits: Int, to text: inout [UInt8]) {
        if number >= 10 || digits > 1 { append(number / 10, digits - 1, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Days since 1970-01-01.
    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        Int64(CivilDate(year: Int(year), month: Int(month), day: Int(day)).daysSinceUnixEpoch)
    }
}
