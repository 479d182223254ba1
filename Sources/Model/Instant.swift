// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A point in time: whole microseconds since 1970-01-01T00:00:00Z, the resolution of PostgreSQL's `timestamptz`.
package struct Instant: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since the Unix epoch, UTC.
    package let micros: Int64

    package init(micros: Int64) { self.micros = micros }

    /// From the millisecond numbers the stores send.
    package init(milliseconds: Int64) { self.micros = milliseconds.multipliedReportingOverflow(by: 1_000).partialValue }

    /// From an ISO 8601 instant such as `2026-03-01T02:15:00Z`, with up to six fractional digits; nil when it is none.
    package init?(iso8601 text: String) {
        let styles: [Date.ISO8601FormatStyle] = [.init(includingFractionalSeconds: true), .init()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        self.micros = Int64((date.timeIntervalSince1970 * 1_000).rounded()) * 1_000
    }

    /// Always there, whatever the clock says: what was never asked is due since then.
    package static let distantPast = Instant(micros: .min)
    /// Later than every instant.
    package static let distantFuture = Instant(micros: .max)

    /// Whole milliseconds since the Unix epoch, rounded down.
    package var milliseconds: Int64 { micros >= 0 ? micros / 1_000 : -((-micros + 999) / 1_000) }

    package var date: Date { Date(timeIntervalSince1970: Double(micros) / 1_000_000) }

    /// ISO 8601 in UTC, to the second, with milliseconds where there are any.
    package var iso8601: String {
        let fraction = micros % 1_000_000 != 0
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: fraction))
    }

    package static func < (left: Instant, right: Instant) -> Bool { left.micros < right.micros }
    package static func + (instant: Instant, span: Span) -> Instant {
        Instant(micros: instant.micros.saturatingAdding(span.micros))
    }
    package static func - (instant: Instant, span: Span) -> Instant {
        Instant(micros: instant.micros.saturatingAdding(-span.micros))
    }
    package static func - (left: Instant, right: Instant) -> Span { Span(micros: left.micros &- right.micros) }
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
