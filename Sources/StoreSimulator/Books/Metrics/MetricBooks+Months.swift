// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Each calendar month (UTC) of an app, a product and a currency, the last one through that date: what it opened
    /// with, what became of that, and how it closed.
    ///
    /// What has no known price has no currency.
    ///
    /// - `set_to_cancel`: those whose renewal was off when the last day ended; only of the month that is not over, since of
    ///   earlier ones nobody says any more what was known then.
    /// - `closing_mrr_net_of_tax`: of the periods whose tax the store reported; unknown where it reported none.
    /// - `closing_mrr_proceeds`: of the same and those whose proceeds it reported: each as reported, or else after the
    ///   published fee.
    /// - `quick_ratio`: of the bridge's own days.
    package func months(through date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = Self.monthTable
        for line in lineages {
            let changes = line.line(by: lengths).changes().filter { $0.at < end }
            for it in changes {
                let place = place(of: line, at: it.at, productID: it.productID, currency: it.currency)
                table.add(place, it.flow)
            }
            let byMonth = Dictionary(grouping: changes) { [CivilTime.month(of: $0.at), $0.currency] }
            for (begin, next) in line.months(before: end) {
                open(line, at: begin, before: min(next, end), byMonth, in: &table)
                close(line, at: min(next, end), of: begin, in: &table)
            }
            for (period, figures) in line.renewals(before: end) {
                let currency = period.charge?.currency
                let place = place(
                    of: line, at: period.declaredEnd, productID: period.productID, currency: currency)
                table.add(place, figures)
            }
            for it in line.statuses(at: end, subscriptions) where it.status == .setToCancel {
                let currency = it.period?.charge?.currency
                let place = place(of: line, at: end - 1, productID: it.productID, currency: currency)
                table.add(place, ["set_to_cancel": 1])
            }
        }
        for place in table.sums.keys where place[0] == CivilTime.month(of: end - 1) {
            table.add(place, ["set_to_cancel": 0])
        }
        return table.rows().filter(\.saysSomethingOfItsMonth)
    }

    private static var monthTable: MetricTable {
        MetricTable(
            of: ["month", "app_id", "product_id", "currency"],
            [
                "opening", "churned_of_opening", "due", "renewed", "plan_changes", "active", "opening_mrr", "lost_mrr",
                "closing_mrr", "arr",
            ], known: ["closing_mrr_net_of_tax", "closing_mrr_proceeds", "set_to_cancel"],
            hidden: [
                "lost_less_gains", "kept", "kept_and_gained", "kept_gained_and_reactivated", "inflow", "outflow",
                "untaxed", "without_proceeds",
            ],
            nanos: ["opening_mrr", "lost_mrr", "closing_mrr", "arr", "closing_mrr_net_of_tax", "closing_mrr_proceeds"],
            rates: [
                "net_of_tax_estimated_share": ("untaxed", "closing_mrr"),
                "proceeds_estimated_share": ("without_proceeds", "closing_mrr"),
                "churn_rate": ("churned_of_opening", "opening"), "renewal_rate": ("renewed", "due"),
                "gross_mrr_churn": ("lost_mrr", "opening_mrr"), "net_mrr_churn": ("lost_less_gains", "opening_mrr"),
                "grr": ("kept", "opening_mrr"), "nrr": ("kept_and_gained", "opening_mrr"),
                "nrr_with_reactivation": ("kept_gained_and_reactivated", "opening_mrr"),
                "quick_ratio": ("inflow", "outflow"),
            ])
    }

    private func place(
        of line: Lineage, at instant: Int64, productID: String, currency: String?
    ) -> [String?] {
        [CivilTime.month(of: instant), line.appID, productID, currency]
    }

    /// Who was active when the month began, and what became of them in it.
    private func open(
        _ line: Lineage, at begin: Int64, before end: Int64, _ changes: [[String]: [PaidLine.Change]],
        in table: inout MetricTable
    ) {
        guard let period = line.paid(at: begin) else { return }
        let currency = period.charge?.currency
        let place = place(of: line, at: begin, productID: period.productID, currency: currency)
        table.add(place, ["opening": 1, "churned_of_opening": line.hasChurned(from: begin, to: end) ? 1 : 0])
        guard let value = period.monthlyWorth(by: lengths) else { return }
        table.add(place, MonthChange(changes[[CivilTime.month(of: begin), currency ?? ""]] ?? []).figures(of: value))
    }

    private func close(_ line: Lineage, at end: Int64, of begin: Int64, in table: inout MetricTable) {
        guard let period = line.paid(at: end) else { return }
        let charge = period.worth(by: lengths)
        let place = place(of: line, at: begin, productID: period.productID, currency: charge?.currency)
        table.add(place, ["active": 1])
        guard let charge, let value = period.monthlyWorth(by: lengths) else { return }
        table.add(
            place,
            [
                "closing_mrr": value, "arr": 12 * value, "untaxed": charge.taxMicros == nil ? value : 0,
                "without_proceeds": charge.proceedsMicros == nil ? value : 0,
                "closing_mrr_net_of_tax": charge.taxMicros.map {
                    period.monthlyNanos(of: charge.micros - $0, by: lengths)
                }, "closing_mrr_proceeds": period.proceeds(of: charge, by: lengths),
            ])
    }
}

extension MetricRow {
    /// What came and went within a month alone says nothing of it, nor who was set to cancel.
    package var saysSomethingOfItsMonth: Bool {
        ["opening", "due", "plan_changes", "active", "closing_mrr"].contains { self[$0] != 0 }
            || self["quick_ratio"] != nil
    }
}

extension PaidLine.Change {
    fileprivate var flow: KeyValuePairs<String, Int128?> {
        ["inflow": movement.isGain ? amount : 0, "outflow": movement.isLoss ? -amount : 0]
    }
}

/// What became of one lineage's recurring revenue in one month and currency.
private struct MonthChange {
    private var losses = Int128(0)
    private var expansion = Int128(0)
    private var waiting = Int128(0)
    private var reactivated = Int128(0)

    init(_ changes: [PaidLine.Change]) {
        for change in changes {
            switch change.movement {
            case .expansion: expansion += change.amount
            case .reactivation: reactivated += change.amount
            case .recovery, .lapsed, .paused: waiting += change.amount
            case .imported, .movedIn, .new, .movedOut: break
            default: losses += -change.amount
            }
        }
    }

    /// Nobody loses more than what the month opened with; what was paid again after a lapse of the same month gains
    /// nothing but what it exceeds that by.
    func figures(of opening: Int128) -> KeyValuePairs<String, Int128?> {
        let (lost, gained) = (min(losses, opening), expansion + max(waiting, 0))
        return [
            "opening_mrr": opening, "lost_mrr": lost, "lost_less_gains": lost - gained - reactivated,
            "kept": opening - lost, "kept_and_gained": opening - lost + gained,
            "kept_gained_and_reactivated": opening - lost + gained + reactivated,
        ]
    }
}
