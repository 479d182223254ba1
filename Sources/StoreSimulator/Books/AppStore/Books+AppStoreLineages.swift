// SPDX-License-Identifier: Apache-2.0

/// The lines of the App Store's customers, as far as each column of the books knows them.
extension Books {
    func appStoreLineages(_ column: BookColumn) -> [AppStoreLineage] {
        column == .happened ? happenedLineages : disclosedLineages
    }

    private var happenedLineages: [AppStoreLineage] {
        let lines = everySubscription.map { customer, life, app in
            let endings = disclosed.endings[life.originalTransactionID] ?? [:]
            let all = life.periods.indices.flatMap {
                customer.images(of: AppStorePurchase(life, $0), at: now, in: app, disclosed: disclosed)
            }
            let images = all.filter { !$0.isBeside }
            var line = AppStoreLineage(
                appID: customer.appID, environment: customer.environment, ownership: life.ownership, periods: images,
                besides: all.filter(\.isBeside))
            // Statuses and receipts show why an earlier stretch ended, and a grace, only while it lasts; no history has
            // it. A notification that said so is kept for half a year, but it is a hint: it makes its reader ask, and
            // what it said itself is never booked. So of both only what an answer disclosed counts.
            line.endings = endings
            if let last = images.last {
                var ending = life.ending(of: last.index, in: app, at: now)
                ending?.graceEndsAt = endings[last.index]?.graceEndsAt ?? life.status(at: now)?.graceEndsAt
                line.endings[last.index] = ending
            }
            return (id: life.originalTransactionID, line: line)
        }
        return joined(lines)
    }

    private var disclosedLineages: [AppStoreLineage] {
        let periods = disclosed.periods.values.filter { $0.booked.kind != .oneTime }
        let lines = Dictionary(grouping: periods, by: \.booked.originalTransactionID).compactMap { id, images in
            images.first.map { first in
                let line = AppStoreLineage(
                    appID: first.booked.appID, environment: first.booked.environment,
                    ownership: first.booked.ownership,
                    periods: images.filter { !$0.isBeside }.sorted { $0.index < $1.index },
                    besides: images.filter(\.isBeside), endings: disclosed.endings[id] ?? [:])
                return (id: id, line: line)
            }
        }
        return joined(lines)
    }

    /// A bundle's periods go on where those of what it took the place of leave off: one line of one customer.
    private func joined(_ lines: [(id: String, line: AppStoreLineage)]) -> [AppStoreLineage] {
        var byID = Dictionary(lines.map { ($0.id, $0.line) }) { first, _ in first }
        for (_, life, _) in everySubscription {
            guard let bundle = life.bundle, let next = byID[life.originalTransactionID],
                let old = byID[bundle.replaces], !next.periods.isEmpty, !old.periods.isEmpty
            else { continue }
            byID[bundle.replaces] = old.followed(by: next)
            byID[life.originalTransactionID] = nil
        }
        return lines.compactMap { byID[$0.id] }
    }
}

extension AppStoreLineage {
    fileprivate func followed(by next: AppStoreLineage) -> AppStoreLineage {
        var whole = self
        let places = (periods.map(\.index).max() ?? -1) + 1
        whole.periods += next.periods.map { image in
            var moved = image
            moved.index += places
            return moved
        }
        whole.besides += next.besides
        for (index, ending) in next.endings { whole.endings[index + places] = ending }
        return whole
    }
}
