// SPDX-License-Identifier: Apache-2.0

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
