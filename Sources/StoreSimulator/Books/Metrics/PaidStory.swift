// SPDX-License-Identifier: Apache-2.0

/// One lineage's stretches of paid time, whichever the store.
struct PaidStory: Sendable {
    var appID: String
    /// In their order, with time between them.
    var segments: [LineageStory.Segment]

    /// It is older than the first period that is known: that was no first purchase.
    var isImported: Bool { segments.first?.pieces.first.map { $0.kind != .purchase } ?? false }

    /// What each period is worth a month, as it was charged.
    func line(by lengths: PeriodLengths) -> PaidLine {
        let stretches = segments.map { segment in
            PaidLine.Stretch(
                pieces: segment.pieces.map { period in
                    PaidLine.Piece(
                        start: period.start, productID: period.productID,
                        value: period.charge.map {
                            PaidLine.Value(monthly: period.monthly($0.micros, by: lengths), currency: $0.currency)
                        })
                }, end: segment.end, outcome: segment.outcome)
        }
        return PaidLine(appID: appID, stretches: stretches, isImported: isImported)
    }
}

extension Books {
    /// The monthly recurring revenue by day, from its opening to its closing, through that date.
    package func bridge(
        _ column: BookColumn, through date: String, lengths: PeriodLengths = .dates
    ) -> [BridgeRow] {
        Bridge.rows(paidStories(column).map { $0.line(by: lengths) }, through: date)
    }

    /// Every lineage that ever paid, as far as that column knows.
    func paidStories(_ column: BookColumn) -> [PaidStory] {
        let stories = column == .happened ? happenedStories : revealedStories
        return (stories.map { PaidStory(appID: $0.appID, segments: $0.segments()) }
            + (play?.paidStories(column) ?? []))
            .filter { !$0.segments.isEmpty }
    }
}

extension PlayBooks {
    func paidStories(_ column: BookColumn) -> [PaidStory] {
        lineages(column).map { PaidStory(appID: $0.appID, segments: $0.segments()) }
    }
}
