// SPDX-License-Identifier: Apache-2.0

/// One lineage of either store as far as a column of the books knows it: its stretches of paid time, what it had for nothing,
/// and its money.
struct Lineage: Sendable {
    /// What became of a stretch at its end.
    enum Outcome: Hashable {
        /// Nobody said that it ended.
        case open
        case churned(EndReason)
        case lapsed
        /// Left the paying ones without churn: the customer put it to rest for a while.
        case paused
        /// Left them without churn in any other way: on in a period that costs nothing, or replaced by another purchase.
        case moved
    }

    /// A stretch without a lapse: from its first period's start to an effective end.
    struct Segment: Sendable {
        var pieces: [PaidPeriod]
        var end: Int64
        var productID: String
        var outcome: Outcome
    }

    var appID: String
    /// In their order, with time between them.
    var segments: [Segment]
    var free: [FreePeriod] = []
    /// Everything that was charged for it and given back, an entry each.
    var money: [MoneyLedger.Entry] = []

    /// The period with which its paid time began, as far as is known.
    var firstPaid: PaidPeriod? { segments.first?.pieces.first }
    /// It is older than the first period that is known: that was no first purchase.
    var isImported: Bool { firstPaid.map { $0.kind != .purchase } ?? false }

    /// A period that was paid for, with what its store said of its end.
    struct Ended {
        var image: PeriodImage
        /// The expiry, an earlier revocation or successor.
        var declaredEnd: Int64
        /// The same, or the end of a grace that was granted.
        var effectiveEnd: Int64
        var outcome: Outcome
    }

    /// The stretches of paid time; `paid` is in its order.
    static func segments(of paid: [Ended]) -> [Segment] {
        var segments: [Segment] = []
        for period in paid {
            let productID = period.image.booked.productID
            var piece = PaidPeriod(period.image, declaredEnd: period.declaredEnd)
            if period.image.isAddition { piece.isAddition(to: segments.last?.pieces.last) }
            if let last = segments.indices.last, piece.start - segments[last].end <= CivilTime.day {
                segments[last].pieces.append(piece)
                segments[last].end = max(segments[last].end, period.effectiveEnd)
                segments[last].productID = productID
            } else {
                segments.append(
                    Segment(pieces: [piece], end: period.effectiveEnd, productID: productID, outcome: .open))
            }
            segments[segments.count - 1].outcome = period.outcome
        }
        return segments
    }
}

extension Lineage {
    /// What each period is worth a month, as it was charged.
    func line(by lengths: PeriodLengths) -> PaidLine {
        let stretches = segments.map { segment in
            PaidLine.Stretch(
                pieces: segment.pieces.map { period in
                    PaidLine.Piece(
                        start: period.start, productID: period.productID, value: period.value(by: lengths))
                }, end: segment.end, outcome: segment.outcome)
        }
        return PaidLine(appID: appID, stretches: stretches, isImported: isImported)
    }
}

extension Books {
    /// Every lineage that ever paid, or had something for nothing, as far as that column knows.
    func lineages(_ column: BookColumn) -> [Lineage] {
        let money = Dictionary(appStoreMoney(column).map { ($0.image.key, $0.entries) }) { first, _ in first }
        let appStore = appStoreLineages(column).map { line in
            Lineage(
                appID: line.appID, segments: line.segments(), free: line.freePeriods(),
                money: (line.periods + line.besides).flatMap { money[$0.key] ?? [] })
        }
        return (appStore + (play?.lineages(column) ?? [])).filter { !$0.segments.isEmpty || !$0.free.isEmpty }
    }
}
