// SPDX-License-Identifier: Apache-2.0

/// One column of the books at one instant, gathered once for all the metrics that are worked out from it.
package struct MetricBooks: Sendable {
    let books: Books
    let column: BookColumn
    let lengths: PeriodLengths
    /// Every lineage that ever paid, or had something for nothing.
    let stories: [PaidStory]
    /// The App Store's, families and testers included.
    let appStoreStories: [LineageStory]
    /// The last word on every subscription, by its key.
    let told: [String: BookedSubscription]
    /// Every purchase with its charge and what befell that.
    let entries: [(booked: BookedTransaction, entries: [MoneyLedger.Entry])]

    var now: Int64 { books.now }
}

extension Books {
    /// What a column of the books makes of every metric.
    package func metrics(_ column: BookColumn, lengths: PeriodLengths = .dates) -> MetricBooks {
        MetricBooks(
            books: self, column: column, lengths: lengths, stories: paidStories(column),
            appStoreStories: column == .happened ? happenedStories : revealedStories,
            told: Dictionary(subscriptions(column).map { ($0.originalTransactionID, $0) }) { first, _ in first },
            entries: money(column).map { ($0.image.booked, $0.ledger.entries) }
                + (play?.images(column) ?? []).map { ($0.booked, $0.entries) })
    }
}

extension MetricBooks {
    /// The monthly recurring revenue by day, from its opening to its closing, through that date.
    package func bridge(through date: String) -> [BridgeRow] {
        Bridge.rows(stories.map { $0.line(by: lengths) }, through: date)
    }
}
