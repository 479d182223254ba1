// SPDX-License-Identifier: Apache-2.0

extension Books {
    /// The lineages of a day (UTC), app and product, through that date, counted one lineage and one day at a time: how many
    /// were active at its start, and how many left, and why.
    ///
    /// - `opening`: lineages active up to 00:00 UTC, under the product of the period that reaches it.
    /// - `churned`: those of the opening set that ended on this day: the sum of the six reasons.
    /// - `other`: ended by the developer, revoked without money back, or for a reason the store did not report.
    /// - `lapsed`: left unpaid, the store still trying (or paid again later out of billing retry).
    /// - `came_and_went`: became active and ended on this same day: in no opening set.
    package func churn(_ column: BookColumn, through date: String) -> [MetricRow] {
        let reasons = ["voluntary", "involuntary", "price", "product", "refund", "other"]
        var table = MetricTable(
            of: ["date", "app_id", "product_id"], ["opening", "churned"] + reasons + ["lapsed", "came_and_went"])
        let last = CivilTime.dayNumber(of: CivilTime.end(ofDate: date)) - 1
        for lineage in lineages(column) {
            for segment in lineage.segments { table.count(segment, of: lineage.appID, through: last) }
        }
        return table.rows()
    }
}

extension MetricTable {
    fileprivate mutating func count(_ segment: Lineage.Segment, of app: String, through last: Int64) {
        let (start, end) = (segment.start, segment.outcome == .open ? Int64.max : segment.end)
        // A day opens with what the day before closed with: what starts or ends at midnight moves on the new day.
        var day = CivilTime.dayNumber(of: start) + 1
        while day <= last, day * CivilTime.day <= end {
            let product = segment.pieces.last { $0.start < day * CivilTime.day }?.productID
            add([CivilTime.date(ofDay: day), app, product ?? segment.last.productID], ["opening": 1])
            day += 1
        }
        let endDay = CivilTime.dayNumber(of: segment.end)
        guard segment.outcome != .open, endDay <= last else { return }
        let isInOpening = start < endDay * CivilTime.day
        add(
            [CivilTime.date(ofDay: endDay), app, segment.last.productID],
            isInOpening ? segment.outcome.churn : ["came_and_went": 1])
    }
}

extension Lineage.Outcome {
    fileprivate var churn: KeyValuePairs<String, Int128?> {
        switch self {
        case .open, .paused, .moved: [:]
        case .lapsed: ["lapsed": 1]
        case .churned(let reason):
            switch reason {
            case .voluntary, .involuntary, .price, .product, .refund: ["churned": 1, reason.rawValue: 1]
            case .developer, .revoke, .replaced, .unknown: ["churned": 1, "other": 1]
            }
        }
    }
}
