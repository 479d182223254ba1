// SPDX-License-Identifier: Apache-2.0

extension Books {
    /// Who stood where at the end of a day, by what was last heard.
    package func subscribers(_ column: BookColumn, on date: String) -> [SubscriberRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let (end, told) = ((day + 1) * CivilTime.day, lastWords(column))
        let standings = paidStories(column).flatMap { story in
            story.standings(at: end, told).map { (story.appID, $0.productID, $0.standing) }
        }
        return rows(of: standings + shared(column, at: end), on: day)
    }

    /// What follows from the periods alone, every day through that one.
    package func datedSubscribers(_ column: BookColumn, through date: String) -> [SubscriberRow] {
        let stories = paidStories(column)
        let starts = (stories.flatMap { $0.segments.flatMap(\.pieces).map(\.start) + $0.free.map(\.start) })
        let shares = sharedStretches(column)
        guard let last = CivilTime.dayNumber(ofDate: date), let first = (starts + shares.map(\.start)).min() else {
            return []
        }
        return (CivilTime.dayNumber(of: first)...last).flatMap { day in
            let end = (day + 1) * CivilTime.day
            let own = stories.flatMap { story in
                story.datedStandings(at: end).map { (story.appID, $0.productID, $0.standing) }
            }
            return rows(of: own + shared(shares, at: end), on: day)
        }
    }

    /// Who may be lost next, at the end of a day.
    package func atRisk(
        _ column: BookColumn, on date: String, lengths: PeriodLengths = .dates
    ) -> [AtRiskRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let (end, told) = ((day + 1) * CivilTime.day, lastWords(column))
        var rows: [[String?]: (row: AtRiskRow, mrr: Fraction)] = [:]
        for story in paidStories(column) {
            for found in story.standings(at: end, told)
            where [.grace, .billingRetry, .setToCancel].contains(found.standing) {
                let charge = found.period?.charge
                let key = [story.appID, found.productID, found.standing.rawValue, charge?.currency]
                let empty = AtRiskRow(
                    appID: story.appID, productID: found.productID, state: found.standing, subscriptions: 0,
                    mrrMicros: nil, currency: charge?.currency)
                var (row, mrr) = rows[key] ?? (empty, .zero)
                row.subscriptions += 1
                if let charge, let period = found.period {
                    mrr += period.monthly(charge.micros, by: lengths)
                    row.mrrMicros = mrr.rounded
                }
                rows[key] = (row, mrr)
            }
        }
        return rows.values.map(\.row)
    }

    private func rows(
        of standings: [(appID: String, productID: String, standing: SubscriberRow.Standing)], on day: Int64
    ) -> [SubscriberRow] {
        let groups = Dictionary(grouping: standings) { [$0.appID, $0.productID] }
        return groups.map { key, found in
            SubscriberRow(
                date: CivilTime.date(ofDay: day), appID: key[0], productID: key[1],
                counts: Dictionary(grouping: found, by: \.standing).mapValues(\.count))
        }
    }

    /// The last word on every subscription, by its key.
    func lastWords(_ column: BookColumn) -> [String: BookedSubscription] {
        Dictionary(subscriptions(column).map { ($0.originalTransactionID, $0) }) { first, _ in first }
    }
}

/// What families share: no lineage of the one who has it.
extension Books {
    private struct Share {
        var appID: String
        var lineage: String
        var productID: String
        var start: Int64
        var end: Int64
    }

    private func sharedStretches(_ column: BookColumn) -> [Share] {
        (column == .happened ? happenedStories : revealedStories)
            .filter { $0.environment == .production && $0.ownership == .familyShared }
            .flatMap { story in
                zip(story.periods, story.periods.dropFirst().map(\.booked.periodStart) + [.max]).map { image, next in
                    let booked = image.booked
                    return Share(
                        appID: story.appID, lineage: booked.originalTransactionID, productID: booked.productID,
                        start: booked.periodStart, end: min(booked.periodEnd, booked.refundedAt ?? .max, next))
                }
            }
    }

    private func shared(
        _ shares: [Share], at end: Int64
    ) -> [(appID: String, productID: String, standing: SubscriberRow.Standing)] {
        shares.filter { $0.start < end && end <= $0.end }.map { ($0.appID, $0.productID, .familyShared) }
    }

    private func shared(
        _ column: BookColumn, at end: Int64
    ) -> [(appID: String, productID: String, standing: SubscriberRow.Standing)] {
        shared(sharedStretches(column), at: end)
    }
}
