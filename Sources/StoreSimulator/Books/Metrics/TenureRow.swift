// SPDX-License-Identifier: Apache-2.0

/// One calendar month (UTC) of those who paid for the n-th time: how many the month began with, and what became of their
/// renewals.
package struct TenureRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    package var productID: String
    package var tenure: Tenure
    package var opening = 0
    package var churned = 0
    package var due = 0
    package var renewed = 0
    package var planChanges = 0

    package init(month: String, appID: String, productID: String, tenure: Tenure) {
        (self.month, self.appID, self.productID, self.tenure) = (month, appID, productID, tenure)
    }

    var isEmpty: Bool { [opening, churned, due, planChanges].allSatisfy { $0 == 0 } }
}

/// Which payment it is, of whom. A lapse that was made good, a pause and time for nothing end no stay; churn does.
package struct Tenure: Hashable, Sendable {
    package enum Customer: String, Hashable, Sendable {
        case new, returning
        /// Older than the first period that is known.
        case imported
    }

    package var customer: Customer
    /// 1 for the first payment of a stay.
    package var payment: Int

    package init(_ customer: Customer, payment: Int) { (self.customer, self.payment) = (customer, payment) }
}

extension MetricBooks {
    /// Every month, the last one through that date.
    package func tenures(through date: String) -> [TenureRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (last + 1) * CivilTime.day
        var rows: [TenureRow: TenureRow] = [:]
        for line in lineages.map({ $0.numbered() }) {
            func change(_ instant: Int64, _ period: PaidPeriod, _ body: (inout TenureRow) -> Void) {
                guard let tenure = period.tenure else { return }
                let empty = TenureRow(
                    month: CivilTime.month(of: instant), appID: line.appID, productID: period.productID, tenure: tenure)
                body(&rows[empty, default: empty])
            }
            for (begin, next) in line.months(before: end) {
                guard let period = line.paid(at: begin) else { continue }
                let hasChurned = line.hasChurned(from: begin, to: min(next, end))
                change(begin, period) { row in
                    row.opening += 1
                    row.churned += hasChurned ? 1 : 0
                }
            }
            for renewal in line.renewals(before: end) {
                change(renewal.period.declaredEnd, renewal.period) { row in
                    row.due += renewal.isDue ? 1 : 0
                    row.renewed += renewal.isRenewed ? 1 : 0
                    row.planChanges += renewal.isDue ? 0 : 1
                }
            }
        }
        return rows.values.filter { !$0.isEmpty }
    }
}

extension Lineage {
    /// The same with each paid period's number; seats that were added have that of the period they were added to.
    fileprivate func numbered() -> Lineage {
        var line = self
        var (customer, payment): (Tenure.Customer, Int) = (isImported ? .imported : .new, 0)
        for segment in line.segments.indices {
            if segment > 0, case .churned = line.segments[segment - 1].outcome { (customer, payment) = (.returning, 0) }
            for piece in line.segments[segment].pieces.indices {
                payment += line.segments[segment].pieces[piece].isAddition ? 0 : 1
                line.segments[segment].pieces[piece].tenure = Tenure(customer, payment: payment)
            }
        }
        return line
    }
}
