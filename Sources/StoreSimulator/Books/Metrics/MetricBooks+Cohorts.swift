// SPDX-License-Identifier: Apache-2.0

// Lineages by the calendar month (UTC) in which they first paid.

extension MetricBooks {
    /// How many of each cohort paid in one month of their lives, and what that was worth, every month of their lives
    /// through that date, counted from 0, from the first payment.
    ///
    /// - `paid`: unknown until every one of the cohort has lived through that month.
    /// - `revenue_retention`: millionths of what month 0 was worth; unknown where several currencies were paid.
    package func cohorts(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        let cohorts = Dictionary(grouping: starters(before: end)) { [$0.month, $0.line.appID] }
        return cohorts.flatMap { place, starters in
            Cohort(place: place, lineages: starters.map(\.line), lengths: lengths).rows(until: end)
        }
    }

    /// What each cohort brought, charges less refunds, within 30, 90, 180 and 365 days of the first payment, and what
    /// part of it is a lineage's, in micros; unknown until the youngest is that old.
    ///
    /// In these books a lineage pays in one currency.
    package func lifetimes(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        let priced = starters(before: end).filter { $0.first.charge != nil }
        let cohorts = Dictionary(grouping: priced) { [$0.month, $0.line.appID, $0.first.charge?.currency] }
        return cohorts.flatMap { place, starters in
            ([30, 90, 180, 365] as [Int64]).map { days in
                let isMatured = Cohort.begin(of: starters[0].month, plus: 1) + days * CivilTime.day <= end
                let net = isMatured ? starters.map { $0.line.net(within: days) }.reduce(0, +) : nil
                return MetricRow(
                    Named(["cohort_month", "app_id", "currency"], place),
                    [
                        "days": days, "cohort_size": Int64(starters.count), "net": net,
                        "ltv": net.map { Int64(Rounding.halfEven(Int128($0), over: Int128(starters.count))) },
                    ])
            }
        }
    }

    private func starters(before end: Int64) -> [(line: Lineage, first: LinedPeriod, month: String)] {
        lineages.compactMap { line in
            guard let first = line.firstPaid, first.start < end, !line.isImported else { return nil }
            return (line, first, CivilTime.month(of: first.start))
        }
    }
}

private struct Cohort {
    /// Its month and its app.
    var place: [String]
    var lineages: [Lineage]
    var lengths: PeriodLengths

    /// The first instant of a month, or of one that comes so many months later.
    static func begin(of month: String, plus months: Int64 = 0) -> Int64 {
        CivilTime.adding(months: months, to: CivilTime.end(ofDate: month + "-01") - CivilTime.day)
    }

    /// `end`: the first instant that nobody has lived to see.
    func rows(until end: Int64) -> [MetricRow] {
        let paying = lineages.map { $0.monthsPaid() }
        let currencies = Set(paying.flatMap(\.values).compactMap(\.charge?.currency))
        let atFirst = worth(of: paying, in: 0)
        return (0...).prefix { Self.begin(of: place[0], plus: $0) <= end - CivilTime.day }.map { number in
            let isMatured = Self.begin(of: place[0], plus: number + 1) <= end
            let worth = isMatured && currencies.count == 1 ? worth(of: paying, in: number) ?? 0 : nil
            return MetricRow(
                Named(["cohort_month", "app_id"], place),
                [
                    "month_number": number, "cohort_size": Int64(lineages.count),
                    "paid": isMatured ? Int64(paying.count { $0[number] != nil }) : nil,
                    "revenue_retention": worth.flatMap { worth in
                        atFirst.flatMap { Rounding.millionths(worth, of: $0) }
                    },
                ])
        }
    }

    /// What the latest paid periods of that month are worth; nil where nobody paid a known price.
    private func worth(of paying: [[Int64: LinedPeriod]], in number: Int64) -> Int128? {
        let values = paying.compactMap { $0[number] }.compactMap { $0.monthlyWorth(by: lengths) }
        return values.isEmpty ? nil : values.reduce(0, +)
    }
}

extension Lineage {
    /// Stores add hours to a period and renewals drift: so much of a month is not paid for by itself.
    private static let drift = 26 * CivilTime.hour

    /// The months of its life in which it paid, each with the period that began last in it.
    fileprivate func monthsPaid() -> [Int64: LinedPeriod] {
        guard let first = firstPaid?.start else { return [:] }
        var months: [Int64: LinedPeriod] = [:]
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

    /// What was charged and given back for it within so many days of its first payment.
    fileprivate func net(within days: Int64) -> Int64 {
        guard let first = firstPaid?.start else { return 0 }
        return money.filter { $0.at - first < days * CivilTime.day }.map(\.signed).reduce(0, +)
    }
}
