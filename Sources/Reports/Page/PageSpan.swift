// SPDX-License-Identifier: Apache-2.0

import Foundations

/// Days and months as numbers: of days since 1970-01-01, of months since the year 0.
enum PageSpan {
    /// Of `yyyy-mm-dd`; nil where it is none.
    static func day(_ text: some StringProtocol) -> Int? { CivilDate(iso: String(text))?.daysSinceUnixEpoch }

    /// Of `yyyy-mm` or `yyyy-mm-dd`; nil where it is neither.
    static func month(_ text: some StringProtocol) -> Int? {
        let date = CivilDate(iso: String(text)) ?? CivilDate(iso: "\(text)-01")
        return date.map { $0.year * 12 + $0.month - 1 }
    }

    /// The first day of a month.
    static func firstDay(ofMonth month: Int) -> Int { first(ofMonth: month).daysSinceUnixEpoch }

    static func text(ofMonth month: Int) -> String { String(first(ofMonth: month).iso.dropLast(3)) }

    static func text(ofDay day: Int) -> String { CivilDate(daysSinceUnixEpoch: day).iso }

    private static func first(ofMonth month: Int) -> CivilDate {
        CivilDate(year: month / 12, month: month % 12 + 1, day: 1)
    }
}
