// SPDX-License-Identifier: Apache-2.0

/// The monthly recurring revenue by day, from its opening through every way in and out to its closing.
enum Bridge {
    private struct Line: Hashable {
        var appID: String
        var productID: String
        var currency: String
    }

    /// The days with any figure other than zero, through that date.
    static func rows(_ lineages: [PaidLine], through date: String) -> [BridgeRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var sums: [Line: [Int64: [BridgeRow.Movement: Int128]]] = [:]
        for lineage in lineages {
            for change in lineage.changes() {
                let line = Line(appID: lineage.appID, productID: change.productID, currency: change.currency)
                let day = CivilTime.dayNumber(of: change.at)
                sums[line, default: [:]][day, default: [:]][change.movement, default: 0] += change.amount
            }
        }
        return sums.flatMap { rows($0, $1, through: last) }
    }

    private static func rows(
        _ line: Line, _ days: [Int64: [BridgeRow.Movement: Int128]], through last: Int64
    ) -> [BridgeRow] {
        guard let first = days.keys.min(), first <= last else { return [] }
        var (rows, opening) = ([BridgeRow](), Int128(0))
        for day in first...last {
            let movements = days[day] ?? [:]
            let closing = movements.values.reduce(opening, +)
            defer { opening = closing }
            if opening == 0, closing == 0, movements.values.allSatisfy({ $0 == 0 }) { continue }
            rows.append(
                BridgeRow(
                    date: CivilTime.date(ofDay: day), appID: line.appID, productID: line.productID,
                    currency: line.currency, opening: Rounding.micros(ofNanos: opening),
                    movements: movements.mapValues(Rounding.micros), closing: Rounding.micros(ofNanos: closing)))
        }
        return rows
    }
}

/// How the monthly recurring revenue of one day (UTC), app, product and currency came from its opening to its closing.
package struct BridgeRow: Hashable, Sendable {
    /// A way in or out; each change is in exactly one. Ways out are negative.
    package enum Movement: String, Hashable, Sendable, CaseIterable {
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
    }

    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var currency: String
    /// In micros of the currency, rounded half to even from the exact sum of nanos; so are the others.
    package var opening: Int64
    /// Those that are not zero.
    package var movements: [Movement: Int64]
    package var closing: Int64

    package init(
        date: String, appID: String, productID: String, currency: String, opening: Int64,
        movements: [Movement: Int64], closing: Int64
    ) {
        self.date = date
        self.appID = appID
        self.productID = productID
        self.currency = currency
        self.opening = opening
        self.movements = movements.filter { $0.value != 0 }
        self.closing = closing
    }
}
