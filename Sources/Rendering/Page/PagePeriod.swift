// SPDX-License-Identifier: Apache-2.0

/// The days that the page is about, and the ranges that it can be read by: each says how many days it has.
struct PagePeriod {
    /// Days of a card that adds up.
    static let cardDays = 30
    static let yearDays = 365
    /// Of the range that the page begins with.
    static let rangeDays = 90
    private static let ranges = [("days30", cardDays), ("days90", rangeDays), ("months13", PageCube.dayCount)]

    /// Nil: everything.
    let firstDay: Int?
    let lastDay: Int
    /// The first day that the stores were asked on; what is older is what they still tell.
    let firstObserved: Int

    /// So many days, or as many as there are.
    func window(_ days: Int) -> Int { firstDay.map { min(days, lastDay - $0 + 1) } ?? days }

    /// Ranges by day, the shortest first: one for each number of days.
    var ranges: [(name: String, days: Int)] {
        Self.ranges.reduce(into: []) { ranges, range in
            let days = window(range.1)
            if ranges.last?.days != days { ranges.append((range.0, days)) }
        }
    }

    /// The one that the page begins with.
    var first: (name: String, days: Int) { ranges.last { $0.days <= Self.rangeDays } ?? ranges[0] }

    func contains(_ day: Int) -> Bool { firstDay.map { day >= $0 } ?? true }

    /// Whether a span begins before the stores were asked.
    func isBefore(day: Int) -> Bool { day < firstObserved }

    /// Of a month, the days that the page is about.
    func isBefore(month: Int) -> Bool { max(PageSpan.firstDay(ofMonth: month), firstDay ?? .min) < firstObserved }
}

extension PageTexts {
    /// `30 days`.
    func days(_ count: Int) -> String {
        count == PageCube.dayCount
            ? self["thirteenMonths"] : count == 1 ? self["oneDay"] : self["days", "count", "\(count)"]
    }

    /// `the next 90 days`.
    func daysAhead(_ count: Int) -> String { self["daysAhead", "count", "\(count)"] }
}
