// SPDX-License-Identifier: Apache-2.0

import Model
import Testing

@Suite("How long a paid period is")
struct PeriodLengthTests {
    @Test(
        arguments: [
            ("2026-02-01T10:00:00Z", "2026-03-01T10:00:00Z", PeriodLength.months(1)),  // 28 days
            ("2024-02-01T10:00:00Z", "2024-03-01T10:00:00Z", .months(1)),  // 29 days
            ("2026-04-01T10:00:00Z", "2026-05-01T10:00:00Z", .months(1)),  // 30 days
            ("2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z", .months(1)),  // 31 days
            ("2026-03-01T10:00:00Z", "2026-03-29T10:00:00Z", .months(1)),  // 28 days of a month of 31
            ("2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z", .months(1)),
            ("2026-01-31T10:00:00Z", "2026-03-03T10:00:00Z", .months(1)),  // 31 days
            ("2026-03-02T10:00:00Z", "2026-03-09T10:00:00Z", .days(7)),
            ("2026-03-02T10:00:00Z", "2026-03-16T10:00:00Z", .days(14)),
            ("2026-03-02T10:00:00Z", "2026-03-05T10:00:00Z", .days(3)),
            ("2026-03-02T10:00:00Z", "2026-03-02T10:05:00Z", .days(1)),
            ("2026-01-15T10:00:00Z", "2026-04-15T10:00:00Z", .months(3)),
            ("2025-03-01T10:00:00Z", "2026-03-01T10:00:00Z", .months(12)),
            ("2024-02-29T10:00:00Z", "2025-02-28T10:00:00Z", .months(12)),
            ("2023-03-01T10:00:00Z", "2024-03-01T10:00:00Z", .months(12)),  // over a leap day: 366 days
            // A match of the calendar within 26 hours, and one minute beyond.
            ("2026-01-15T10:00:00Z", "2026-04-16T12:00:00Z", .months(3)),
            ("2026-01-15T10:00:00Z", "2026-04-16T12:01:00Z", .days(91)),
            ("2026-03-01T10:00:00Z", "2026-04-15T10:00:00Z", .days(45)),
        ])
    func `calendar months within 26 hours, else whole days`(start: String, end: String, expected: PeriodLength) throws {
        #expect(PeriodLength(from: try at(start), to: try at(end)) == expected)
    }

    @Test func `prices compare by their exact monthly value`() {
        // 59.99 a year is 4.9992 a month: below 5.00, above 4.99.
        let year = (price: Int64(59_990_000), length: PeriodLength.months(12))
        #expect(PeriodLength.isMonthlyValue(of: year, below: (5_000_000, .months(1))))
        #expect(PeriodLength.isMonthlyValue(of: (4_990_000, .months(1)), below: year))
        // 1.00 a week is 4.348214… a month.
        let week = (price: Int64(1_000_000), length: PeriodLength.days(7))
        #expect(PeriodLength.isMonthlyValue(of: week, below: (4_348_215, .months(1))))
        #expect(PeriodLength.isMonthlyValue(of: (4_348_214, .months(1)), below: week))
        // 16 days at 16 are 30.4375 a month: neither is below the other.
        let days = (price: Int64(16_000_000), length: PeriodLength.days(16))
        let month = (price: Int64(30_437_500), length: PeriodLength.months(1))
        #expect(!PeriodLength.isMonthlyValue(of: days, below: month))
        #expect(!PeriodLength.isMonthlyValue(of: month, below: days))
        #expect(!PeriodLength.isMonthlyValue(of: (.max, .months(1)), below: (.max, .months(12))))
    }
}
