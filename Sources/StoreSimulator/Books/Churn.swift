// SPDX-License-Identifier: Apache-2.0

/// Churn by day, straight from the lineages: counted one lineage and one day at a time.
enum Churn {
    static func rows(of lineages: [Lineage], through date: String) -> [ChurnRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var rows: [String: ChurnRow] = [:]
        for lineage in lineages {
            for segment in lineage.segments { count(segment, of: lineage.appID, through: last, into: &rows) }
        }
        return rows.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func count(
        _ segment: Lineage.Segment, of app: String, through last: Int64, into rows: inout [String: ChurnRow]
    ) {
        guard let start = segment.pieces.first?.start else { return }
        let end = segment.outcome == .open ? Int64.max : segment.end
        // A day opens with what the day before closed with: what starts or ends at midnight moves on the new day.
        var day = CivilTime.dayNumber(of: start) + 1
        while day <= last, day * CivilTime.day <= end {
            let product = segment.pieces.last { $0.start < day * CivilTime.day }?.productID ?? segment.productID
            change(&rows, day, app, product) { $0.opening += 1 }
            day += 1
        }
        let endDay = CivilTime.dayNumber(of: segment.end)
        guard segment.outcome != .open, endDay <= last else { return }
        let isInOpening = start < endDay * CivilTime.day
        change(&rows, endDay, app, segment.productID) { row in
            if isInOpening { row.count(segment.outcome) } else { row.cameAndWent += 1 }
        }
    }

    private static func change(
        _ rows: inout [String: ChurnRow], _ day: Int64, _ app: String, _ product: String,
        _ body: (inout ChurnRow) -> Void
    ) {
        let date = CivilTime.date(ofDay: day)
        body(&rows["\(date)|\(app)|\(product)", default: ChurnRow(date: date, appID: app, productID: product)])
    }
}

extension ChurnRow {
    fileprivate mutating func count(_ outcome: Lineage.Outcome) {
        guard case .churned(let reason) = outcome else {
            if outcome == .lapsed { lapsed += 1 }
            return
        }
        churned += 1
        switch reason {
        case .voluntary: voluntary += 1
        case .involuntary: involuntary += 1
        case .price: price += 1
        case .product: product += 1
        case .refund: refund += 1
        case .developer, .revoke, .replaced, .unknown: other += 1
        }
    }
}

/// The lineages of one day (UTC), app and product: how many were active at its start, and how many left, and why.
package struct ChurnRow: Hashable, Sendable, Codable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    /// Lineages active up to 00:00 UTC, under the product of the period that reaches it.
    package var opening = 0
    /// Those of the opening set that ended on this day: the sum of the six reasons below.
    package var churned = 0
    package var voluntary = 0
    package var involuntary = 0
    package var price = 0
    package var product = 0
    package var refund = 0
    /// Ended by the developer, revoked without money back, or for a reason the store did not report.
    package var other = 0
    /// Left unpaid, the store still trying (or paid again later out of billing retry).
    package var lapsed = 0
    /// Became active and ended on this same day: in no opening set.
    package var cameAndWent = 0

    /// Whether the row says anything.
    package var isEmpty: Bool { opening == 0 && churned == 0 && lapsed == 0 && cameAndWent == 0 }
}
