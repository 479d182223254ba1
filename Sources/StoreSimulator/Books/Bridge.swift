// SPDX-License-Identifier: Apache-2.0

/// How the monthly recurring revenue came from the opening of a day (UTC) to its closing.
enum Bridge {
    /// A way in or out; each change is in exactly one.
    ///
    /// Ways out are negative.
    enum Movement: String, Hashable, Sendable, CaseIterable {
        case imported
        case movedIn = "moved_in"
        case new, expansion, reactivation, recovery, contraction
        case churnVoluntary = "churn_voluntary"
        case churnInvoluntary = "churn_involuntary"
        case churnPrice = "churn_price"
        case churnProduct = "churn_product"
        case churnRefund = "churn_refund"
        case churnOther = "churn_other"
        case lapsed, paused
        case movedOut = "moved_out"

        var isLoss: Bool { self == .contraction || rawValue.hasPrefix("churn") }
        var isGain: Bool { [.new, .expansion, .reactivation, .recovery].contains(self) }
    }

    /// The days with any figure other than zero, through that date, each figure rounded by itself.
    ///
    /// In these books all rates are frozen: they move nothing.
    static func rows(_ lineages: [PaidLine], through date: String) -> [MetricRow] {
        let last = CivilTime.dayNumber(of: CivilTime.end(ofDate: date)) - 1
        let figures = ["opening"] + Movement.allCases.map(\.rawValue) + ["fx", "closing"]
        var table = MetricTable(of: ["date", "app_id", "product_id", "currency"], figures, nanos: Set(figures))
        let changes = lineages.flatMap { line in line.changes().map { (appID: line.appID, change: $0) } }
        for (line, changes) in Dictionary(
            grouping: changes, by: { [$0.appID, $0.change.productID, $0.change.currency] })
        {
            let byDay = Dictionary(grouping: changes.map(\.change)) { CivilTime.dayNumber(of: $0.at) }
            var closing = Int128(0)
            for day in stride(from: byDay.keys.min() ?? 0, through: last, by: 1) {
                let place = [CivilTime.date(ofDay: day)] + line
                table.add(place, ["opening": closing])
                for change in byDay[day] ?? [] {
                    table.add(place, [change.movement.rawValue: change.amount])
                    closing += change.amount
                }
                table.add(place, ["closing": closing])
            }
        }
        return table.rows()
    }
}
