// SPDX-License-Identifier: Apache-2.0

/// How many of the lineages that first paid in a calendar month paid in one month of their lives.
package struct CohortRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    /// Counted from 0, from the first payment.
    package var number: Int
    package var size: Int
    /// Nil until every one of the cohort has lived through that month.
    package var paid: Int?
    /// Millionths of what month 0 was worth; nil where several currencies were paid.
    package var revenueRetention: Int64?
}

extension MetricBooks {
    /// Cohorts by the month of the first payment, every month of their lives through that date.
    package func cohorts(through date: String) -> [CohortRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (last + 1) * CivilTime.day
        let starters = lineages.filter { line in
            line.firstPaid.map { $0.start < end } ?? false && !line.isImported
        }
        let cohorts = Dictionary(grouping: starters) { [$0.appID, CivilTime.month(of: $0.firstPaid?.start ?? 0)] }
        return cohorts.flatMap { key, lineages in
            Cohort(appID: key[0], month: key[1], lineages: lineages, lengths: lengths).rows(until: end)
        }
    }
}

private struct Cohort {
    var appID: String
    var month: String
    var lineages: [Lineage]
    var lengths: PeriodLengths

    /// `end`: the first instant that nobody has lived to see.
    func rows(until end: Int64) -> [CohortRow] {
        guard let day = CivilTime.dayNumber(ofDate: month + "-01") else { return [] }
        let begin = day * CivilTime.day
        let paying = lineages.map { $0.monthsPaid() }
        let currencies = Set(paying.flatMap(\.values).compactMap(\.charge?.currency))
        let atFirst = worth(of: paying, in: 0)
        return (0...).prefix { CivilTime.adding(months: $0, to: begin) <= end - CivilTime.day }.map { number in
            let isMatured = CivilTime.adding(months: number + 1, to: begin) <= end
            let worth = isMatured && currencies.count == 1 ? worth(of: paying, in: number) ?? 0 : nil
            return CohortRow(
                month: month, appID: appID, number: Int(number), size: lineages.count,
                paid: isMatured ? paying.count { $0[number] != nil } : nil,
                revenueRetention: worth.flatMap { worth in atFirst.flatMap { Rounding.millionths(worth, of: $0) } })
        }
    }

    /// What the latest paid periods of that month are worth; nil where nobody paid a known price.
    private func worth(of paying: [[Int64: PaidPeriod]], in number: Int64) -> Int128? {
        let values = paying.compactMap { $0[number] }.compactMap { $0.monthlyWorth(by: lengths) }
        return values.isEmpty ? nil : values.reduce(0, +)
    }
}

extension Lineage {
    /// Stores add hours to a period and renewals drift: so much of a month is not paid for by itself.
    private static let drift = 26 * CivilTime.hour

    /// The months of its life in which it paid, each with the period that began last in it.
    fileprivate func monthsPaid() -> [Int64: PaidPeriod] {
        guard let first = firstPaid?.start else { return [:] }
        var months: [Int64: PaidPeriod] = [:]
        let begins = (Int64(0)...37).map { CivilTime.adding(months: $0, to: first) }
        for period in segments.flatMap(\.pieces) {
            for (number, (begin, end)) in zip(begins, begins.dropFirst()).enumerated() {
                let shared = min(period.declaredEnd, end) - max(period.start, begin)
                let isWithin = begin <= period.start && period.declaredEnd < end
                if shared > Self.drift || isWithin { months[Int64(number)] = period }
            }
        }
        return months
    }
}
