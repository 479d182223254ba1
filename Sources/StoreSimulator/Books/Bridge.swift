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
        var sums: [Line: [Int64: [BridgeRow.Movement: Fraction]]] = [:]
        for lineage in lineages {
            for change in lineage.changes() {
                let line = Line(appID: lineage.appID, productID: change.productID, currency: change.currency)
                let day = CivilTime.dayNumber(of: change.at)
                sums[line, default: [:]][day, default: [:]][change.movement, default: .zero] += change.amount
            }
        }
        return sums.flatMap { rows($0, $1, through: last) }
    }

    private static func rows(
        _ line: Line, _ days: [Int64: [BridgeRow.Movement: Fraction]], through last: Int64
    ) -> [BridgeRow] {
        guard let first = days.keys.min(), first <= last else { return [] }
        var (rows, opening) = ([BridgeRow](), Fraction.zero)
        for day in first...last {
            let movements = days[day] ?? [:]
            let closing = movements.values.reduce(opening, +)
            defer { opening = closing }
            if opening == .zero, closing == .zero, movements.values.allSatisfy({ $0 == .zero }) { continue }
            rows.append(
                BridgeRow(
                    date: CivilTime.date(ofDay: day), appID: line.appID, productID: line.productID,
                    currency: line.currency, opening: opening.rounded, movements: movements.mapValues(\.rounded),
                    closing: closing.rounded))
        }
        return rows
    }
}
