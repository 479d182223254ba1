// SPDX-License-Identifier: Apache-2.0

/// The exact sums of one month, app, product and currency, until they are shown.
struct MonthFigures {
    var row: MonthRow
    var openingValue = Fraction.zero
    var lost = Fraction.zero
    var gained = Fraction.zero
    var reactivated = Fraction.zero
    var inflow = Fraction.zero
    var outflow = Fraction.zero
    var closing = Fraction.zero
    var netOfTax: Fraction?
    var proceeds: Fraction?
    /// What the store told no tax of, and no proceeds.
    var (untaxed, untold) = (Fraction.zero, Fraction.zero)

    init(_ row: MonthRow) { self.row = row }

    /// Each figure rounded once, from exact sums.
    var shown: MonthRow {
        var row = row
        row.openingMicros = openingValue.rounded
        row.lostMicros = lost.rounded
        row.closingMicros = closing.rounded
        row.yearMicros = (1...12).reduce(Fraction.zero) { sum, _ in sum + closing }.rounded
        row.closingNetOfTax = netOfTax?.rounded
        row.closingProceeds = proceeds?.rounded
        row.netOfTaxEstimatedShare = untaxed.millionths(of: closing)
        row.proceedsEstimatedShare = untold.millionths(of: closing)
        row.churnRate = Fraction(Int128(row.churned)).millionths(of: Fraction(Int128(row.opening)))
        row.renewalRate = Fraction(Int128(row.renewed)).millionths(of: Fraction(Int128(row.due)))
        row.grossChurn = lost.millionths(of: openingValue)
        row.netChurn = (lost - gained - reactivated).millionths(of: openingValue)
        row.grossRetention = (openingValue - lost).millionths(of: openingValue)
        row.netRetention = (openingValue - lost + gained).millionths(of: openingValue)
        row.netRetentionWithReactivation = (openingValue - lost + gained + reactivated).millionths(of: openingValue)
        row.quickRatio = inflow.millionths(of: outflow)
        return row
    }
}

/// What became of one lineage's recurring revenue in one month and currency.
struct MonthChange {
    private var losses = Fraction.zero
    private var expansion = Fraction.zero
    private var waiting = Fraction.zero
    private(set) var reactivated = Fraction.zero

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
    func lost(of opening: Fraction) -> Fraction { (opening - losses).isNegative ? opening : losses }

    /// What was paid again after a lapse of the same month gains nothing but what it exceeds that by.
    var gained: Fraction { expansion + (waiting.isNegative ? .zero : waiting) }
}

extension BridgeRow.Movement {
    var isLoss: Bool { self == .contraction || rawValue.hasPrefix("churn") }
    var isGain: Bool { [.new, .expansion, .reactivation, .recovery].contains(self) }
}
