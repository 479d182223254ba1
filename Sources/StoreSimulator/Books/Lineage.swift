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
        /// At least one.
        var pieces: [LinedPeriod]
        var end: Int64

        var start: Int64 { pieces[0].start }
        var last: LinedPeriod { pieces[pieces.count - 1] }
        var outcome: Outcome { last.outcome }
        var hasChurned: Bool { if case .churned = outcome { true } else { false } }
    }

    var appID: String
    /// In their order, with time between them.
    var segments: [Segment]
    var free: [LinedPeriod]
    /// Everything that was charged for it and given back, an entry each.
    var money: [MoneyLedger.Entry]

    /// What it had for nothing before it paid at all.
    var trialPeriods: [LinedPeriod] {
        free.filter { $0.isForNewCustomers && $0.start <= firstPaid?.start ?? $0.start }
    }
    /// The period with which its paid time began, as far as is known.
    var firstPaid: LinedPeriod? { segments.first?.pieces.first }
    /// It is older than the first period that is known: that was no first purchase.
    var isImported: Bool { firstPaid.map { $0.image.booked.kind != .purchase } ?? false }

    /// `periods`: those that were paid for, and those that cost nothing, in their order.
    init(appID: String, periods: [LinedPeriod], money: [MoneyLedger.Entry]) {
        self.appID = appID
        self.money = money
        segments = Self.segments(of: periods.filter(\.image.isPaid))
        free = periods.filter { !$0.image.isPaid }
    }

    private static func segments(of paid: [LinedPeriod]) -> [Segment] {
        var segments: [Segment] = []
        for period in paid {
            var piece = period
            if piece.image.isAddition || piece.less != nil { piece.isAddition(to: segments.last?.last) }
            if let last = segments.indices.last, piece.start - segments[last].end <= CivilTime.day {
                segments[last].pieces.append(piece)
                segments[last].end = max(segments[last].end, piece.coveredUntil)
            } else {
                segments.append(Segment(pieces: [piece], end: piece.coveredUntil))
            }
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
                appID: line.appID, periods: line.lined,
                money: (line.periods + line.besides).flatMap { money[$0.key] ?? [] })
        }
        return (appStore + (play?.lineages(column) ?? [])).filter { !$0.segments.isEmpty || !$0.free.isEmpty }
    }
}
