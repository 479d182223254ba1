// SPDX-License-Identifier: Apache-2.0

/// One line of an App Store customer as far as it is known: its periods, and how each of them is known to have ended.
struct AppStoreLineage: Sendable {
    /// How a period is known to have come out at its end.
    struct Ending: Hashable, Sendable {
        /// The end of the grace the store granted for it.
        var graceEndsAt: Int64?
        /// The store said that it awaits the payment.
        var isAwaitingPayment = false
        /// The store said that it is over, and why.
        var reason: EndReason?

        var wasUnpaid: Bool { isAwaitingPayment || graceEndsAt != nil }
    }

    var appID: String
    var environment: StoreEnvironment
    var ownership: Ownership
    /// In their order; of several items of a transaction the first, which stands for all of them.
    var periods: [PeriodImage]
    /// The other items: nothing but their money is the lineage's.
    var besides: [PeriodImage] = []
    var endings: [Int: Ending] = [:]

    /// Each with how it came out; those of testers and families do not count.
    var lined: [LinedPeriod] {
        guard environment == .production, ownership == .purchased else { return [] }
        let nexts = periods.dropFirst().map(Optional.some) + [nil]
        let lined = zip(periods, nexts).map { image, next in
            LinedPeriod(
                image: image, declaredEnd: declaredEnd(of: image), coveredUntil: coveredUntil(of: image),
                outcome: outcome(of: image), nextStart: next?.booked.periodStart)
        }
        let lessened = lined.compactMap { $0.lessened(among: lined) }
        return lessened.isEmpty ? lined : (lined + lessened).sorted { $0.start < $1.start }
    }

    /// What took a period away: of seats in several transactions the last refund, once each of them was given back whole.
    private func revocation(of image: PeriodImage) -> PeriodImage.Revocation? {
        guard image.booked.seats != nil else { return image.revocation }
        let rows = periods.filter { $0.booked.seats != nil && $0.booked.periodEnd == image.booked.periodEnd }
            .map(\.revocation)
        return rows.contains(nil) ? nil : rows.compactMap(\.self).max { $0.at < $1.at }
    }

    /// The expiry, an earlier revocation or successor, or the end of a grace that was granted.
    private func coveredUntil(of image: PeriodImage) -> Int64 {
        let (declared, expiry) = (declaredEnd(of: image), image.booked.coversUntil)
        return declared < expiry ? declared : max(expiry, endings[image.index]?.graceEndsAt ?? expiry)
    }

    /// The same without a grace.
    private func declaredEnd(of image: PeriodImage) -> Int64 {
        let booked = image.booked
        if booked.isUpgraded, let successor = successor(of: image) {
            return min(booked.coversUntil, successor.booked.periodStart)
        }
        return min(booked.coversUntil, revocation(of: image)?.at ?? booked.coversUntil)
    }

    private func successor(of image: PeriodImage) -> PeriodImage? { periods.first { $0.index > image.index } }

    /// A refund stands in the row for good, whoever asked when; any other end reason is shown only while it lasts.
    ///
    /// What comes after a lapse was bought again (a free period too: nobody pays at last with that) or, whatever the
    /// product, paid at last.
    private func outcome(of image: PeriodImage) -> Lineage.Outcome {
        let next = successor(of: image)
        if let next, !next.isPaid, next.booked.periodStart - coveredUntil(of: image) <= CivilTime.day { return .moved }
        let ending = endings[image.index] ?? Ending()
        let cut = revocation(of: image).flatMap { $0.at < image.booked.coversUntil ? $0.reason : nil }
        if let reason = cut ?? ending.reason { return reason == .replaced ? .moved : .churned(reason) }
        if ending.isAwaitingPayment { return .lapsed }
        guard let next else { return .open }
        return next.booked.kind == .resubscribe || !next.isPaid ? .churned(.unknown) : .lapsed
    }
}

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
                appID: customer.appID, environment: customer.environment,
                ownership: life.includedIn == nil ? life.ownership : .assigned, periods: images,
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
