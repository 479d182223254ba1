// SPDX-License-Identifier: Apache-2.0

import Model

/// Why a subscription's history is read besides its status; in a steady night it is not, and one call is enough.
enum HistoryNeed: Hashable {
    /// It never answered before.
    case firstCheck
    /// An audit, or the refund watch.
    case wanted
    /// It was not read to its end the night before.
    case unfinished
    /// Several transactions make up its latest period, and the status shows one of them.
    case severalRows
    /// We hold no period of it.
    case nothingKnown
    /// The answer does not show its latest transaction.
    case notInAnswer
    /// Periods may lie between the newest we know and the latest one.
    case gap
    /// The newest period we know was cut short by the latest one: its image has changed.
    case replaced
    /// The latest one is older than the newest we know: that one's image has changed.
    case withdrawn

    /// What the decision needs of the latest transaction.
    struct Latest {
        let transactionID: String?
        let periodKey: String?
        let productID: String?
        let purchasedAt: Instant?
        /// The store says that its period has others.
        var isOneOfSeveral = false
    }

    /// Nil: the status is enough.
    static func of(_ due: DueSubscription, latest: Latest?) -> HistoryNeed? {
        if due.snapshot.lastCheckedAt == nil || due.snapshot.state == .unverified { return .firstCheck }
        if due.wantsHistory { return .wanted }
        if HistoryCursor(stored: due.historyCursor)?.isUnfinished == true { return .unfinished }
        let periods = due.known.filter { $0.kind != .oneTime }
        guard let newest = periods.max(by: { ($0.start, $0.reach) < ($1.start, $1.reach) }) else {
            return .nothingKnown
        }
        guard let latest else { return .notInAnswer }
        if latest.isOneOfSeveral || hasSeveralRows(periods, latest) { return .severalRows }
        if let same = periods.first(where: latest.isSame) { return same.start < newest.start ? .withdrawn : nil }
        return afterUnknown(latest, newest: newest)
    }

    /// We hold others of its period.
    private static func hasSeveralRows(_ periods: [KnownPeriod], _ latest: Latest) -> Bool {
        guard let same = periods.first(where: { $0.seats != nil && latest.isSame($0) }) else { return false }
        return periods.contains { $0.isBeside(same) }
    }

    private static func afterUnknown(_ latest: Latest, newest: KnownPeriod) -> HistoryNeed? {
        guard let purchasedAt = latest.purchasedAt else { return .gap }
        // Periods may be shorter than the longest pause between two that has nothing in it (sandbox).
        let pause = min(Rules.continuousGap, newest.reach - newest.start)
        if purchasedAt > newest.reach + pause { return .gap }
        if purchasedAt < newest.reach - pause { return .replaced }
        return purchasedAt < newest.reach && latest.productID != newest.productID ? .replaced : nil
    }
}

extension HistoryNeed.Latest {
    /// A restore gives a known period a new transaction id.
    fileprivate func isSame(_ known: KnownPeriod) -> Bool {
        known.transactionID == transactionID || (known.periodKey == periodKey && known.productID == productID)
    }
}

extension KnownPeriod {
    fileprivate var reach: Instant { facts.coveredUntil ?? facts.start }
}
