// SPDX-License-Identifier: Apache-2.0

/// One lineage's stretches of paid time, and what it had for nothing, whichever the store.
struct PaidStory: Sendable {
    var appID: String
    /// In their order, with time between them.
    var segments: [LineageStory.Segment]
    var free: [FreePeriod] = []
    /// Everything that was charged for it and given back, an entry each.
    var money: [MoneyLedger.Entry] = []

    /// The period with which its paid time began, as far as is known.
    var firstPaid: PaidPeriod? { segments.first?.pieces.first }

    /// It is older than the first period that is known: that was no first purchase.
    var isImported: Bool { segments.first?.pieces.first.map { $0.kind != .purchase } ?? false }

    /// What each period is worth a month, as it was charged.
    func line(by lengths: PeriodLengths) -> PaidLine {
        let stretches = segments.map { segment in
            PaidLine.Stretch(
                pieces: segment.pieces.map { period in
                    PaidLine.Piece(
                        start: period.start, productID: period.productID,
                        value: period.monthlyWorth(by: lengths).flatMap { monthly in
                            period.worth(by: lengths).map { PaidLine.Value(monthly: monthly, currency: $0.currency) }
                        })
                }, end: segment.end, outcome: segment.outcome)
        }
        return PaidLine(appID: appID, stretches: stretches, isImported: isImported)
    }
}

extension Books {
    /// Every lineage that ever paid, or had something for nothing, as far as that column knows.
    func paidStories(_ column: BookColumn) -> [PaidStory] {
        let ledgers = Dictionary(money(column).map { ($0.image.key, $0.ledger) }) { first, _ in first }
        let stories = (column == .happened ? happenedStories : revealedStories).map { story in
            PaidStory(
                appID: story.appID, segments: story.segments(), free: story.freePeriods(),
                money: (story.periods + story.besides).flatMap { ledgers[$0.key]?.entries ?? [] })
        }
        return (stories + (play?.paidStories(column) ?? [])).filter { !$0.segments.isEmpty || !$0.free.isEmpty }
    }
}

extension PlayBooks {
    func paidStories(_ column: BookColumn) -> [PaidStory] {
        lineages(column).map { line in
            PaidStory(appID: line.appID, segments: line.segments(), free: line.freePeriods(), money: line.money)
        }
    }
}
