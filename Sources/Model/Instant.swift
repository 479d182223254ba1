// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Foundations

/// A point in time: whole microseconds since 1970-01-01T00:00:00Z, the resolution of PostgreSQL's `timestamptz`.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since the Unix epoch, UTC.
    package let micros: Int64

    package init(micros: Int64) { self.micros = micros }

    /// From the millisecond numbers the stores send.
    package init(milliseconds: Int64) {
        let (micros, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
        self.micros = overflow ? (milliseconds > 0 ? .max : .min) : micros
    }

    /// From an ISO 8601 instant such as `2026-03-01T02:15:00Z`, with up to six fractional digits; nil when it is none.
    package init?(iso8601 text: String) {
        guard let (whole, fraction) = Self.splitFraction(text), whole.utf8.count >= 20,
            let offset = Self.offset(whole.dropFirst(19)),
            let local = try? Date.ISO8601FormatStyle().parse(whole.prefix(19) + "Z"),
            // The parser would take the 30th of February for the 2nd of March.
            local.formatted(Date.ISO8601FormatStyle()).prefix(19) == whole.prefix(19)
        else { return nil }
        self.micros = (Int64(local.timeIntervalSince1970) - offset) * 1_000_000 + fraction
    }

    /// Always there, whatever the clock says: what was never asked is due since then.
    package static let distantPast = Instant(micros: .min)
    /// Later than every instant.
    package static let distantFuture = Instant(micros: .max)

    /// Whole milliseconds since the Unix epoch, rounded down.
    package var milliseconds: Int64 { Int64(Int(micros).dividedRoundingDown(by: 1_000).quotient) }

    package var date: Date { Date(timeIntervalSince1970: Double(micros) / 1_000_000) }

    /// ISO 8601 in UTC, to the second, with milliseconds or microseconds where there are any.
    package var iso8601: String {
        let fraction = ((micros % 1_000_000) + 1_000_000) % 1_000_000
        let seconds = Date(timeIntervalSince1970: Double((micros - fraction) / 1_000_000))
        let text = seconds.formatted(Date.ISO8601FormatStyle())
        guard fraction != 0 else { return text }
        let digits = String(1_000_000 + fraction).dropFirst()
        return text.dropLast() + "." + (digits.hasSuffix("000") ? digits.dropLast(3) : digits) + "Z"
    }

    /// Seconds east of UTC of `Z`, `+02:00` or `-0530`.
    private static func offset(_ zone: Substring) -> Int64? {
        if zone == "Z" { return 0 }
        let digits = zone.dropFirst().filter { $0 != ":" }
        guard let sign = zone.first, sign == "+" || sign == "-", digits.utf8.count == 4,
            zone.utf8.count == 5 || zone.dropFirst(3).first == ":",
            let number = Int64(digits), (0...1_400).contains(number), number % 100 < 60
        else { return nil }
        return (number / 100 * 3_600 + number % 100 * 60) * (sign == "-" ? -1 : 1)
    }

    /// The text without its fraction of a second, and that fraction in microseconds.
    private static func splitFraction(_ text: String) -> (whole: String, micros: Int64)? {
        guard let dot = text.firstIndex(of: ".") else { return (text, 0) }
        let digits = text[text.index(after: dot)...].prefix { $0.isASCII && $0.isNumber }
        guard (1...6).contains(digits.count),
            let micros = Int64(digits + String(repeating: "0", count: 6 - digits.count))
        else { return nil }
        return (String(text[..<dot] + text[digits.endIndex...]), micros)
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.micros < right.micros }
    package static func + (instant: Instant, span: Span) -> Instant {
        Instant(micros: instant.micros.saturatingAdding(span.micros))
    }
    package static func - (instant: Instant, span: Span) -> Instant {
        Instant(micros: instant.micros.saturatingAdding(-span.micros))
    }
    package static func - (left: Instant, right: Instant) -> Span {
        let (difference, overflow) = left.micros.subtractingReportingOverflow(right.micros)
        return Span(micros: overflow ? (left > right ? .max : .min) : difference)
    }
}

/// A length of time in whole microseconds; exact, unlike a `TimeInterval`.
package struct Span: Hashable, Comparable, Sendable, Codable {
    package let micros: Int64

    package init(micros: Int64) { self.micros = micros }

    package static func seconds(_ count: Int64) -> Span { Span(micros: count * 1_000_000) }
    package static func minutes(_ count: Int64) -> Span { .seconds(count * 60) }
    package static func hours(_ count: Int64) -> Span { .seconds(count * 3_600) }
    package static func days(_ count: Int64) -> Span { .hours(count * 24) }

    package static let zero = Span(micros: 0)
    package static func < (left: Span, right: Span) -> Bool { left.micros < right.micros }
}

extension Int64 {
    fileprivate func saturatingAdding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}
