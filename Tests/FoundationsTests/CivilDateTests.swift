// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Testing

@Suite struct CivilDateTests {
    private static let gregorian: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    @Test func `days are Foundation's since the calendar is the Gregorian one, both ways`() throws {
        // From 1583 into 2500, in steps that meet every day of the month.
        for days in stride(from: -141_000, through: 194_000, by: 17) {
            let parts = Self.gregorian.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
            let date = CivilDate(daysSinceUnixEpoch: days)
            #expect([date.year, date.month, date.day] == [parts.year, parts.month, parts.day])
            #expect(date.daysSinceUnixEpoch == days)
        }
    }

    @Test(arguments: [
        // PostgreSQL: select date '…' - date '1970-01-01'
        (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2026, 11, 27, 20_784), (1, 1, 1, -719_162),
        // 0001-12-31 BC, 4714-11-24 BC: the first of the Julian days
        (0, 12, 31, -719_163), (-4713, 11, 24, -2_440_588),
    ])
    func `it is reckoned back beyond its introduction`(year: Int, month: Int, day: Int, days: Int) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date.daysSinceUnixEpoch == days)
        #expect(CivilDate(daysSinceUnixEpoch: days) == date)
    }

    @Test(arguments: ["1970-01-01", "2024-02-29", "2000-02-29", "9999-12-31", "0001-01-01", "2026-04-30"])
    func `a day is read and written as ISO 8601 spells it`(text: String) {
        #expect(CivilDate(iso: text)?.iso == text)
    }

    @Test(arguments: [
        "", "2026-1-01", "2026-01-1", "26-01-01", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-02-29",
        "1900-02-29", "2026-04-31", "2026/01/01", "2026-01-01 ", "+026-01-01", "2026-01-0１",
    ])
    func `anything else is no day`(text: String) {
        #expect(CivilDate(iso: text) == nil)
    }

    @Test func `the earlier day is the lesser`() {
        let days = [CivilDate(year: 2025, month: 12, day: 31), CivilDate(year: 2026, month: 1, day: 2)]
        #expect(days[0] < days[1] && CivilDate(year: 2026, month: 1, day: 1) < days[1])
        #expect(!(days[1] < days[1]))
    }

    @Test func `division rounds towards minus infinity`() {
        for (dividend, quotient, remainder) in [(-1, -1, 6), (-7, -1, 0), (-8, -2, 6), (0, 0, 0), (6, 0, 6), (7, 1, 0)]
        {
            #expect(dividend.dividedRoundingDown(by: 7) == (quotient, remainder))
        }
    }
}
