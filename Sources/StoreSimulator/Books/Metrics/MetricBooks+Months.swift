// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// The rates and closings of every month, the last one through that date.
    package func months(through date: String) -> [MonthRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var ledger = MonthLedger(end: (last + 1) * CivilTime.day, lengths: lengths)
        for line in lineages {
            ledger.take(line)
            let leaving = line.statuses(at: ledger.end, subscriptions).filter { $0.status == .setToCancel }
            ledger.count(leaving, of: line.appID)
        }
        return ledger.rows.filter { !$0.isEmpty }
    }
}

/// The figures of all months, filled one lineage after the other.
private struct MonthLedger {
    /// The first instant that is not reported any more.
    let end: Int64
    let lengths: PeriodLengths
    private var figures: [MonthRow: MonthFigures] = [:]

    init(end: Int64, lengths: PeriodLengths) { (self.end, self.lengths) = (end, lengths) }

    var rows: [MonthRow] {
        figures.values.map { month in
            var row = month.shown
            if row.month == CivilTime.month(of: end - 1) { row.setToCancel = row.setToCancel ?? 0 }
            return row
        }
    }

    /// Those whose renewal was off when the last day ended.
    mutating func count(_ stopping: [LineageStatus], of appID: String) {
        for status in stopping {
            change(end - 1, appID, status.productID, status.period?.charge?.currency) {
                $0.row.setToCancel = ($0.row.setToCancel ?? 0) + 1
            }
        }
    }

    mutating func take(_ line: Lineage) {
        let changes = line.line(by: lengths).changes().filter { $0.at < end }
        for change in changes { flow(change, line.appID) }
        let byMonth = Dictionary(grouping: changes) { [CivilTime.month(of: $0.at), $0.currency] }
        for (begin, next) in line.months(before: end) {
            open(line, at: begin, before: next, byMonth)
            close(line, at: min(next, end), in: begin)
        }
        renew(line)
    }

    private mutating func change(
        _ instant: Int64, _ appID: String, _ productID: String, _ currency: String?,
        _ body: (inout MonthFigures) -> Void
    ) {
        let empty = MonthRow(
            month: CivilTime.month(of: instant), appID: appID, productID: productID, currency: currency)
        body(&figures[empty, default: MonthFigures(row: empty)])
    }

    /// The quick ratio is of the bridge's own days.
    private mutating func flow(_ it: PaidLine.Change, _ appID: String) {
        change(it.at, appID, it.productID, it.currency) { month in
            if it.movement.isGain { month.inflow += it.amount }
            if it.movement.isLoss { month.outflow += -it.amount }
        }
    }

    /// Who was active when the month began, and what became of them in it.
    private mutating func open(
        _ line: Lineage, at begin: Int64, before next: Int64, _ changes: [[String]: [PaidLine.Change]]
    ) {
        guard let period = line.paid(at: begin) else { return }
        let hasChurned = line.hasChurned(from: begin, to: min(next, end))
        let value = period.monthlyWorth(by: lengths)
        let moved = MonthChange(changes[[CivilTime.month(of: begin), period.charge?.currency ?? ""]] ?? [])
        change(begin, line.appID, period.productID, period.charge?.currency) { month in
            month.row.opening += 1
            month.row.churned += hasChurned ? 1 : 0
            guard let value else { return }
            month.openingValue += value
            month.lost += moved.lost(of: value)
            month.gained += moved.gained
            month.reactivated += moved.reactivated
        }
    }

    private mutating func close(_ line: Lineage, at instant: Int64, in begin: Int64) {
        guard let period = line.paid(at: instant) else { return }
        let (charge, lengths) = (period.worth(by: lengths), lengths)
        change(begin, line.appID, period.productID, charge?.currency) { month in
            month.row.active += 1
            guard let charge, let value = period.monthlyWorth(by: lengths) else { return }
            month.closing += value
            if let tax = charge.taxMicros {
                month.netOfTax = (month.netOfTax ?? 0) + period.monthlyNanos(of: charge.micros - tax, by: lengths)
            } else {
                month.untaxed += value
            }
            if charge.proceedsMicros == nil { month.withoutProceeds += value }
            if let part = period.proceeds(of: charge, by: lengths) {
                month.proceeds = (month.proceeds ?? 0) + part
            }
        }
    }

    private mutating func renew(_ line: Lineage) {
        for renewal in line.renewals(before: end) {
            let period = renewal.period
            change(period.declaredEnd, line.appID, period.productID, period.charge?.currency) { month in
                month.row.due += renewal.isDue ? 1 : 0
                month.row.renewed += renewal.isRenewed ? 1 : 0
                month.row.planChanges += renewal.isDue ? 0 : 1
            }
        }
    }
}

extension Lineage {
    /// The first instants of the months that it paid in or after, each with that of the next.
    func months(before end: Int64) -> [(begin: Int64, next: Int64)] {
        guard let first = firstPaid?.start else { return [] }
        var months: [(Int64, Int64)] = []
        var begin = CivilTime.startOfMonth(of: first)
        while begin < end {
            let next = CivilTime.adding(months: 1, to: begin)
            months.append((begin, next))
            begin = next
        }
        return months
    }

    /// The paid period that covers the instant before that one.
    func paid(at end: Int64) -> PaidPeriod? {
        datedStatuses(at: end).first { $0.status == .active }?.period
    }
}

extension CivilTime {
    /// The first instant of the calendar month (UTC).
    static func startOfMonth(of instant: Int64) -> Int64 {
        let fields = fields(of: instant)
        return Self.instant(year: fields.year, month: fields.month, day: 1)
    }
}
