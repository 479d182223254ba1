// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Who stood where at the end of a day, by what was last heard.
    package func subscribers(on date: String) -> [SubscriberRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (day + 1) * CivilTime.day
        let standings = stories.flatMap { story in
            story.standings(at: end, told).map { (story.appID, $0.productID, $0.standing) }
        }
        return rows(of: standings + shared(at: end), on: day)
    }

    /// What follows from the periods alone, every day through that one.
    package func datedSubscribers(through date: String) -> [SubscriberRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var counts: [SubscriberDay: [SubscriberRow.Standing: Int]] = [:]
        let own = stories.flatMap { story in story.stretches(through: last).map { (story.appID, $0) } }
        let shared = sharedStretches.map { share in
            let days =
                CivilTime.dayNumber(
                    of: share.start)..<max(
                    CivilTime.dayNumber(of: share.end), CivilTime.dayNumber(of: share.start))
            return (share.appID, StandingStretch(standing: .familyShared, productID: share.productID, days: days))
        }
        for (appID, stretch) in own + shared {
            for day in stretch.days where day <= last {
                let key = SubscriberDay(day: day, appID: appID, productID: stretch.productID)
                counts[key, default: [:]][stretch.standing, default: 0] += 1
            }
        }
        return counts.map { key, counts in
            SubscriberRow(
                date: CivilTime.date(ofDay: key.day), appID: key.appID, productID: key.productID, counts: counts)
        }
    }

    /// Who may be lost next, at the end of a day.
    package func atRisk(on date: String) -> [AtRiskRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (day + 1) * CivilTime.day
        var rows: [[String?]: (row: AtRiskRow, mrr: Fraction)] = [:]
        for story in stories {
            for found in story.standings(at: end, told)
            where [.grace, .billingRetry, .setToCancel].contains(found.standing) {
                let charge = found.period?.worth(by: lengths)
                let key = [story.appID, found.productID, found.standing.rawValue, charge?.currency]
                let empty = AtRiskRow(
                    appID: story.appID, productID: found.productID, state: found.standing, subscriptions: 0,
                    mrrMicros: nil, currency: charge?.currency)
                var (row, mrr) = rows[key] ?? (empty, .zero)
                row.subscriptions += 1
                if let monthly = found.period?.monthlyWorth(by: lengths) {
                    mrr += monthly
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
}

private struct SubscriberDay: Hashable {
    var day: Int64
    var appID: String
    var productID: String
}

/// What families share: no lineage of the one who has it.
extension MetricBooks {
    private struct Share {
        var appID: String
        var lineage: String
        var productID: String
        var start: Int64
        var end: Int64
    }

    private var sharedStretches: [Share] {
        appStoreStories.filter { $0.environment == .production && $0.ownership == .familyShared }
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
        at end: Int64
    ) -> [(appID: String, productID: String, standing: SubscriberRow.Standing)] {
        sharedStretches.filter { $0.start < end && end <= $0.end }.map { ($0.appID, $0.productID, .familyShared) }
    }
}
