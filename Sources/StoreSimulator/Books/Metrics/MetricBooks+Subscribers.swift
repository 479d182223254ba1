// SPDX-License-Identifier: Apache-2.0

extension MetricBooks {
    /// Who stood where at the end of a day, by what was last heard.
    package func subscribers(on date: String) -> [SubscriberRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (day + 1) * CivilTime.day
        let statuses = lineages.flatMap { line in
            line.statuses(at: end, subscriptions).map { (line.appID, $0) }
        }
        return rows(of: statuses + shared(at: end), on: day)
    }

    /// What follows from the periods alone, every day through that one.
    package func datedSubscribers(through date: String) -> [SubscriberRow] {
        guard let last = CivilTime.dayNumber(ofDate: date) else { return [] }
        var counts: [SubscriberDay: [SubscriberRow.Status: Int]] = [:]
        var seats: [SubscriberDay: Int] = [:]
        let own = lineages.flatMap { line in line.stretches(through: last).map { (line.appID, $0) } }
        let shared = sharedStretches.map { share in
            let first = CivilTime.dayNumber(of: share.start)
            let days = first..<max(first, CivilTime.dayNumber(of: share.end))
            return (share.appID, StatusStretch(status: .familyShared, productID: share.productID, days: days))
        }
        for (appID, stretch) in own + shared {
            for day in stretch.days where day <= last {
                let key = SubscriberDay(day: day, appID: appID, productID: stretch.productID)
                counts[key, default: [:]][stretch.status, default: 0] += 1
                seats[key, default: 0] += stretch.seats
            }
        }
        return counts.map { key, counts in
            SubscriberRow(
                date: CivilTime.date(ofDay: key.day), appID: key.appID, productID: key.productID, counts: counts,
                seats: seats[key] ?? 0)
        }
    }

    /// Who may be lost next, at the end of a day.
    package func atRisk(on date: String) -> [AtRiskRow] {
        guard let day = CivilTime.dayNumber(ofDate: date) else { return [] }
        let end = (day + 1) * CivilTime.day
        var rows: [AtRiskRow: (row: AtRiskRow, nanos: Int128)] = [:]
        for line in lineages {
            for found in line.statuses(at: end, subscriptions)
            where [.grace, .billingRetry, .setToCancel].contains(found.status) {
                let charge = found.period?.worth(by: lengths)
                let empty = AtRiskRow(
                    appID: line.appID, productID: found.productID, state: found.status, subscriptions: 0,
                    mrrMicros: nil, currency: charge?.currency)
                var (row, nanos) = rows[empty] ?? (empty, 0)
                row.subscriptions += 1
                row.neverPaid += line.firstPaid == nil ? 1 : 0
                if let monthly = found.period?.monthlyWorth(by: lengths) {
                    nanos += monthly
                    row.mrrMicros = Rounding.micros(ofNanos: nanos)
                }
                rows[empty] = (row, nanos)
            }
        }
        return rows.values.map(\.row)
    }

    private func rows(
        of statuses: [(appID: String, stood: LineageStatus)], on day: Int64
    ) -> [SubscriberRow] {
        let groups = Dictionary(grouping: statuses) { [$0.appID, $0.stood.productID] }
        return groups.map { key, found in
            SubscriberRow(
                date: CivilTime.date(ofDay: day), appID: key[0], productID: key[1],
                counts: Dictionary(grouping: found, by: \.stood.status).mapValues(\.count),
                seats: found.filter { $0.stood.status == .active }.compactMap(\.stood.period?.seats).reduce(0, +))
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
        appStoreLineages.filter { $0.environment == .production && $0.ownership == .familyShared }
            .flatMap { line in
                zip(line.periods, line.periods.dropFirst().map(\.booked.periodStart) + [.max]).map { image, next in
                    let booked = image.booked
                    return Share(
                        appID: line.appID, lineage: booked.originalTransactionID, productID: booked.productID,
                        start: booked.periodStart, end: min(booked.periodEnd, booked.refundedAt ?? .max, next))
                }
            }
    }

    private func shared(at end: Int64) -> [(appID: String, stood: LineageStatus)] {
        sharedStretches.filter { $0.start < end && end <= $0.end }.map {
            ($0.appID, LineageStatus(status: .familyShared, productID: $0.productID))
        }
    }
}
