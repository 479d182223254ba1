// SPDX-License-Identifier: Apache-2.0

/// What ends on one day (UTC) to come, by app, product, country and currency, and what its renewal would bring.
package struct DueRow: Hashable, Sendable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var country: String?
    /// Nil where the price is not known.
    package var currency: String?
    package var due = 0
    package var setToCancel = 0
    package var atRisk = 0
    /// Of those whose renewal is on; nil where the price is not known.
    package var amountMicros: Int64?
}

extension MetricBooks {
    /// Of who is active at the end of a day, those whose paid time ends within the 90 days after it.
    package func renewals(after date: String) -> [DueRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (day + 1) * CivilTime.day
        var rows: [DueRow: DueRow] = [:]
        for line in lineages {
            let statuses = line.statuses(at: end, subscriptions)
            guard let period = statuses.first(where: { $0.status == .active })?.period else { continue }
            let due = CivilTime.dayNumber(of: line.end(of: period))
            guard (day + 1...day + 90).contains(due) else { continue }
            let empty = DueRow(
                date: CivilTime.date(ofDay: due), appID: line.appID, productID: period.productID,
                country: period.country, currency: period.value(by: lengths)?.currency)
            let isSetToCancel = statuses.contains { $0.status == .setToCancel }
            var row = rows[empty] ?? empty
            row.due += 1
            row.setToCancel += isSetToCancel ? 1 : 0
            row.atRisk += statuses.contains { $0.status == .grace } ? 1 : 0
            if row.currency != nil {
                row.amountMicros = (row.amountMicros ?? 0) + (isSetToCancel ? 0 : period.renewalMicros)
            }
            rows[empty] = row
        }
        return Array(rows.values)
    }
}

extension Lineage {
    /// When what is paid with that period ends: the period itself, or its whole stretch where it is the last one.
    fileprivate func end(of period: PaidPeriod) -> Int64 {
        let stretch = segments.first { $0.pieces.last?.start == period.start }
        return stretch?.end ?? period.declaredEnd
    }
}

extension PaidPeriod {
    /// What a whole period of its plan costs, with what runs beside it.
    fileprivate var renewalMicros: Int64 {
        ([self] + beside).compactMap { ($0.recurring ?? $0.charge)?.micros }.reduce(0, +)
    }
}
