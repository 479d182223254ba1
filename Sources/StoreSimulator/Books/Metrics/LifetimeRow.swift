// SPDX-License-Identifier: Apache-2.0

/// What the lineages that first paid in a calendar month brought within so many days of that payment.
package struct LifetimeRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    /// Of the first payment.
    package var currency: String
    package var days: Int64
    package var size: Int
    /// Charges less refunds, in micros; nil until the youngest is that old.
    package var netMicros: Int64?
    /// A lineage's part of it.
    package var valueMicros: Int64?

    package init(
        month: String, appID: String, currency: String, days: Int64, size: Int, netMicros: Int64?, valueMicros: Int64?
    ) {
        self.month = month
        self.appID = appID
        self.currency = currency
        self.days = days
        self.size = size
        self.netMicros = netMicros
        self.valueMicros = valueMicros
    }
}

extension MetricBooks {
    /// Realised lifetime value of each cohort, after 30, 90, 180 and 365 days. In these books a lineage pays in one currency.
    package func lifetimes(through date: String) -> [LifetimeRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (last + 1) * CivilTime.day
        let starters = stories.filter { story in
            guard let first = story.firstPaid, first.start < end, !story.isImported else { return false }
            return first.charge != nil
        }
        let cohorts = Dictionary(grouping: starters) { story in
            [story.appID, CivilTime.month(of: story.firstPaid?.start ?? 0), story.firstPaid?.charge?.currency ?? ""]
        }
        return cohorts.flatMap { key, stories in
            ([30, 90, 180, 365] as [Int64]).map { days in
                let net = isMatured(key[1], days, at: end) ? stories.map { $0.net(within: days) }.reduce(0, +) : nil
                return LifetimeRow(
                    month: key[1], appID: key[0], currency: key[2], days: days, size: stories.count, netMicros: net,
                    valueMicros: net.map { Fraction(Int128($0), over: Int128(stories.count)).rounded })
            }
        }
    }

    /// Whether whoever began last in that month has lived so many days.
    private func isMatured(_ month: String, _ days: Int64, at end: Int64) -> Bool {
        guard let first = CivilTime.dayNumber(ofDate: month + "-01") else { return false }
        return CivilTime.adding(months: 1, to: first * CivilTime.day) + days * CivilTime.day <= end
    }
}

extension PaidStory {
    fileprivate func net(within days: Int64) -> Int64 {
        guard let first = firstPaid?.start else { return 0 }
        return money.filter { $0.at - first < days * CivilTime.day }.map(\.signed).reduce(0, +)
    }
}
