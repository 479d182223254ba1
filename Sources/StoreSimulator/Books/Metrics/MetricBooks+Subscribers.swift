// SPDX-License-Identifier: Apache-2.0

// How many lineages of an app and a product stood where at the end of a day (UTC), and the seats that the active ones of
// groups hold.

extension MetricBooks {
    /// Who stood where at the end of a day, by what was last heard.
    package func subscribers(on date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = Self.subscriberTable
        for line in lineages {
            for it in line.statuses(at: end, subscriptions) {
                let seats = it.status == .active ? it.period?.seats ?? 0 : 0
                table.add([date, line.appID, it.productID], [it.status.rawValue: 1, "seats": Int128(seats)])
            }
        }
        for (appID, image, until) in shared where image.booked.periodStart < end && end <= until {
            table.add([date, appID, image.booked.productID], [SubscriberStatus.familyShared.rawValue: 1])
        }
        return table.rows()
    }

    /// What follows from the periods alone, every day through that one.
    package func datedSubscribers(through date: String) -> [MetricRow] {
        let last = CivilTime.dayNumber(of: CivilTime.end(ofDate: date)) - 1
        let families = shared.map { appID, image, until in
            (appID, StatusStretch(.familyShared, image.booked.productID, from: image.booked.periodStart, to: until))
        }
        let own = lineages.flatMap { line in line.stretches(through: last).map { (line.appID, $0) } }
        var table = Self.subscriberTable
        for (line, all) in Dictionary(grouping: own + families, by: { [$0.0, $0.1.productID] }) {
            let stretches = all.map(\.1)
            for day in stride(from: stretches.map(\.days.lowerBound).min() ?? last, through: last, by: 1) {
                let place = [CivilTime.date(ofDay: day)] + line
                for stretch in stretches where stretch.days.contains(day) {
                    table.add(place, [stretch.status.rawValue: 1, "seats": Int128(stretch.seats)])
                }
            }
        }
        return table.rows()
    }

    private static var subscriberTable: MetricTable {
        MetricTable(of: ["date", "app_id", "product_id"], SubscriberStatus.allCases.map(\.rawValue) + ["seats"])
    }

    /// Who may be lost next, at the end of a day, and what a month of them is worth, in micros; unknown where its price is,
    /// or where nothing was ever paid.
    ///
    /// `never_paid`: of the subscriptions, those that never paid.
    package func atRisk(on date: String) -> [MetricRow] {
        let end = CivilTime.end(ofDate: date)
        var table = MetricTable(
            of: ["app_id", "product_id", "state", "currency"], ["subscriptions", "never_paid"], known: ["mrr"],
            nanos: ["mrr"])
        for line in lineages {
            for it in line.statuses(at: end, subscriptions) where it.status.isAtRisk {
                table.add(
                    [line.appID, it.productID, it.status.rawValue, it.period?.worth(by: lengths)?.currency],
                    [
                        "subscriptions": 1, "never_paid": line.firstPaid == nil ? 1 : 0,
                        "mrr": it.period?.monthlyWorth(by: lengths),
                    ])
            }
        }
        return table.rows()
    }

    /// What families share, each with its end: no lineage of the one who has it.
    private var shared: [(appID: String, image: PeriodImage, until: Int64)] {
        appStoreLineages.filter { $0.environment == .production && $0.ownership == .familyShared }.flatMap { line in
            zip(line.periods, line.periods.dropFirst().map(\.booked.periodStart) + [.max]).map { image, next in
                (line.appID, image, min(image.booked.periodEnd, image.booked.refundedAt ?? .max, next))
            }
        }
    }
}

/// Where a lineage stands; the words of the report's columns.
package enum SubscriberStatus: String, Hashable, Sendable, CaseIterable {
    case active, trial, grace
    case billingRetry = "billing_retry"
    case paused
    case familyShared = "family_shared"
    case setToCancel = "set_to_cancel"
    case unread

    /// Follows from the periods alone: of a day that is long past too.
    package var isDated: Bool { [.active, .trial, .familyShared, .unread].contains(self) }
    var isAtRisk: Bool { [.grace, .billingRetry, .setToCancel].contains(self) }
}

extension MetricRow {
    /// The same subscribers without what an earlier day's state may have been; nil where that is all.
    package var dated: MetricRow? {
        var row = self
        for status in SubscriberStatus.allCases where !status.isDated { row[status.rawValue] = 0 }
        return SubscriberStatus.allCases.contains { row[$0.rawValue] != 0 } ? row : nil
    }
}
