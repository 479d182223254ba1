// SPDX-License-Identifier: Apache-2.0

/// Revenue and churn by day, straight from the stories: counted one lineage and one day at a time.
enum Metrics {
    /// A refund that was wholly taken back counts no longer, from the day on which it was known to be.
    static func revenue(
        _ purchases: [(image: PeriodImage, ledger: MoneyLedger)], through date: String
    ) -> [RevenueRow] {
        var rows: [String: RevenueRow] = [:]
        for (image, ledger) in purchases {
            let it = image.booked
            guard let currency = it.currency else { continue }
            for entry in ledger.entries {
                add(&rows, it, currency, at: entry.at) { $0.count(entry) }
            }
        }
        return rows.filter { $0.value.date <= date }.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func add(
        _ rows: inout [String: RevenueRow], _ it: BookedTransaction, _ currency: String, at instant: Int64,
        _ change: (inout RevenueRow) -> Void
    ) {
        let date = CivilTime.date(ofDay: CivilTime.dayNumber(of: instant))
        let key = [date, it.appID, it.productID, it.country ?? "", currency].joined(separator: "|")
        let empty = RevenueRow(
            date: date, appID: it.appID, productID: it.productID, country: it.country, currency: currency, charges: 0,
            refunds: 0, grossMicros: 0, refundedMicros: 0)
        change(&rows[key, default: empty])
    }

    static func churn(_ lineages: [PaidStory], through date: String) -> [ChurnRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var rows: [String: ChurnRow] = [:]
        for lineage in lineages {
            for segment in lineage.segments { count(segment, of: lineage.appID, through: last, into: &rows) }
        }
        return rows.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func count(
        _ segment: LineageStory.Segment, of app: String, through last: Int64, into rows: inout [String: ChurnRow]
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

extension RevenueRow {
    fileprivate mutating func count(_ entry: MoneyLedger.Entry) {
        switch entry.kind {
        case .charge:
            charges += 1
            grossMicros += entry.micros
        case .refund:
            refunds += 1
            refundedMicros += entry.micros
        case .reversal(let count):
            refunds -= count
            refundedMicros -= entry.micros
        }
    }
}

extension ChurnRow {
    fileprivate mutating func count(_ outcome: LineageStory.Outcome) {
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
