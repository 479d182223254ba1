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
}

extension MetricBooks {
    /// Realised lifetime value of each cohort, after 30, 90, 180 and 365 days. In these books a lineage pays in one currency.
    package func lifetimes(through date: String) -> [LifetimeRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (last + 1) * CivilTime.day
        let starters = lineages.filter { line in
            guard let first = line.firstPaid, first.start < end, !line.isImported else { return false }
            return first.charge != nil
        }
        let cohorts = Dictionary(grouping: starters) { line in
            [line.appID, CivilTime.month(of: line.firstPaid?.start ?? 0), line.firstPaid?.charge?.currency ?? ""]
        }
        return cohorts.flatMap { key, lineages in
            ([30, 90, 180, 365] as [Int64]).map { days in
                let net = isMatured(key[1], days, at: end) ? lineages.map { $0.net(within: days) }.reduce(0, +) : nil
                return LifetimeRow(
                    month: key[1], appID: key[0], currency: key[2], days: days, size: lineages.count, netMicros: net,
                    valueMicros: net.map { Int64(Rounding.halfEven(Int128($0), over: Int128(lineages.count))) })
            }
        }
    }

    /// Whether whoever began last in that month has lived so many days.
    private func isMatured(_ month: String, _ days: Int64, at end: Int64) -> Bool {
        guard let first = CivilTime.dayNumber(ofDate: month + "-01") else { return false }
        return CivilTime.adding(months: 1, to: first * CivilTime.day) + days * CivilTime.day <= end
    }
}

extension Lineage {
    fileprivate func net(within days: Int64) -> Int64 {
        guard let first = firstPaid?.start else { return 0 }
        return money.filter { $0.at - first < days * CivilTime.day }.map(\.signed).reduce(0, +)
    }
}
