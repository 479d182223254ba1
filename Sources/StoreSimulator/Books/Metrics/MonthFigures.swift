// SPDX-License-Identifier: Apache-2.0

/// The exact sums of one month, app, product and currency, in nanos, until they are shown.
struct MonthFigures {
    var row: MonthRow
    var openingValue = Int128(0)
    var lost = Int128(0)
    var gained = Int128(0)
    var reactivated = Int128(0)
    var inflow = Int128(0)
    var outflow = Int128(0)
    var closing = Int128(0)
    var netOfTax: Int128?
    var proceeds: Int128?
    /// MRR of periods whose tax the store did not report, and of those whose proceeds it did not.
    var untaxed = Int128(0)
    var withoutProceeds = Int128(0)

    /// Each figure rounded once, from exact sums.
    var shown: MonthRow {
        var row = row
        row.openingMicros = Rounding.micros(ofNanos: openingValue)
        row.lostMicros = Rounding.micros(ofNanos: lost)
        row.closingMicros = Rounding.micros(ofNanos: closing)
        row.yearMicros = Rounding.micros(ofNanos: 12 * closing)
        row.closingNetOfTax = netOfTax.map(Rounding.micros)
        row.closingProceeds = proceeds.map(Rounding.micros)
        row.netOfTaxEstimatedShare = Rounding.millionths(untaxed, of: closing)
        row.proceedsEstimatedShare = Rounding.millionths(withoutProceeds, of: closing)
        row.churnRate = Rounding.millionths(Int128(row.churned), of: Int128(row.opening))
        row.renewalRate = Rounding.millionths(Int128(row.renewed), of: Int128(row.due))
        row.grossChurn = Rounding.millionths(lost, of: openingValue)
        row.netChurn = Rounding.millionths(lost - gained - reactivated, of: openingValue)
        row.grossRetention = Rounding.millionths(openingValue - lost, of: openingValue)
        row.netRetention = Rounding.millionths(openingValue - lost + gained, of: openingValue)
        row.netRetentionWithReactivation = Rounding.millionths(
            openingValue - lost + gained + reactivated, of: openingValue)
        row.quickRatio = Rounding.millionths(inflow, of: outflow)
        return row
    }
}

/// What became of one lineage's recurring revenue in one month and currency.
struct MonthChange {
    private var losses = Int128(0)
    private var expansion = Int128(0)
    private var waiting = Int128(0)
    private(set) var reactivated = Int128(0)

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

    /// Nobody loses more than what the month opened with.
    func lost(of opening: Int128) -> Int128 { min(losses, opening) }

    /// What was paid again after a lapse of the same month gains nothing but what it exceeds that by.
    var gained: Int128 { expansion + max(waiting, 0) }
}

extension BridgeRow.Movement {
    var isLoss: Bool { self == .contraction || rawValue.hasPrefix("churn") }
    var isGain: Bool { [.new, .expansion, .reactivation, .recovery].contains(self) }
}

/// One calendar month of an app, a product and a currency: what it opened with, what became of that, and how it closed.
///
/// Amounts in micros; rates in millionths, nil where there is nothing to divide by.
package struct MonthRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    package var productID: String
    /// Nil where the price is not known.
    package var currency: String?
    package var opening = 0
    package var churned = 0
    package var due = 0
    package var renewed = 0
    package var planChanges = 0
    package var active = 0
    /// Only of the month that is not over: of earlier ones nobody says any more what was known then.
    package var setToCancel: Int?
    package var openingMicros: Int64 = 0
    package var lostMicros: Int64 = 0
    package var closingMicros: Int64 = 0
    package var yearMicros: Int64 = 0
    /// Of the periods whose tax the store reported; nil where it reported none.
    package var closingNetOfTax: Int64?
    /// Of the same and those whose proceeds it reported: each as reported, or else after the published fee.
    package var closingProceeds: Int64?
    package var netOfTaxEstimatedShare: Int64?
    package var proceedsEstimatedShare: Int64?
    package var churnRate: Int64?
    package var grossChurn: Int64?
    package var netChurn: Int64?
    package var grossRetention: Int64?
    package var netRetention: Int64?
    package var netRetentionWithReactivation: Int64?
    package var quickRatio: Int64?
    package var renewalRate: Int64?

    /// Whether it says anything.
    package var isEmpty: Bool {
        [opening, due, planChanges, active].allSatisfy { $0 == 0 } && quickRatio == nil && closingMicros == 0
    }
}
