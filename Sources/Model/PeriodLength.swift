// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long a paid period is, for comparing prices per month: whole calendar months, or days.
package enum PeriodLength: Hashable, Sendable {
    case months(Int64)
    case days(Int64)

    /// A calendar-month match of the period within `Rules.monthTolerance` (28 to 31 days are a month), else its whole days, at least one.
    package init(from start: Instant, to end: Instant) {
        let days = max(1, Int64((Double((end - start).micros) / 86_400_000_000).rounded()))
        self = Self.calendarMonths(from: start, to: end).map(PeriodLength.months) ?? .days(days)
    }

    /// Compares the monthly value of two prices exactly: price ÷ months, or price × 30.4375 ÷ days.
    package static func isMonthlyValue(of left: (price: Int64, length: Self), below right: (price: Int64, length: Self))
        -> Bool
    {
        let (a, b) = (left.length.factor, right.length.factor)
        return Int128(left.price) * a.numerator * b.denominator < Int128(right.price) * b.numerator * a.denominator
    }

    /// So many of it one after the other.
    package func times(_ count: Int64) -> PeriodLength {
        switch self {
        case .months(let months): .months(months * count)
        case .days(let days): .days(days * count)
        }
    }

    /// The instant so much later, by the calendar.
    package func end(from start: Instant) -> Instant? {
        switch self {
        case .days(let count): return start + .days(count)
        case .months(let count):
            let fraction = start.micros % 1_000_000
            let whole = Instant(micros: start.micros - fraction).date
            let end = Int(exactly: count).flatMap { Self.calendar.date(byAdding: .month, value: $0, to: whole) }
            return end.map { Instant(micros: Int64($0.timeIntervalSince1970.rounded()) * 1_000_000 + fraction) }
        }
    }

    /// Monthly value = price × numerator ÷ denominator; 30.4375 days are 487/16.
    private var factor: (numerator: Int128, denominator: Int128) {
        switch self {
        case .months(let count): (1, Int128(count))
        case .days(let count): (487, 16 * Int128(count))
        }
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static func calendarMonths(from start: Instant, to end: Instant) -> Int64? {
        let days = Double((end - start).micros) / 86_400_000_000
        let guess = Int((days / 30.4375).rounded())
        guard guess >= 1 else { return nil }
        if guess == 1, days >= 27.99, days <= 31.01 { return 1 }
        guard let match = calendar.date(byAdding: .month, value: guess, to: start.date) else { return nil }
        let tolerance = Double(Rules.monthTolerance.micros) / 1_000_000
        return abs(match.timeIntervalSince(end.date)) <= tolerance ? Int64(guess) : nil
    }
}
