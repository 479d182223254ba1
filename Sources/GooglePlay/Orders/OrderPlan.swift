// SPDX-License-Identifier: Apache-2.0

import Model

/// Which orders are asked for besides a purchase's state.
///
/// Pure, so that the reader knows what was asked for without success.
enum OrderPlan {
    /// Orders of one purchase asked for at most.
    static let longest = 120

    /// The orders of a purchase that was asked about.
    ///
    /// `purchase`: what the store says of it; nil where only its known orders are looked at again.
    static func orders(of due: DueSubscription, _ purchase: Purchase?) -> [String] {
        let known = due.known.filter { $0.kind != .oneTime }
        var ids: [String] = []
        if let purchase {
            if !purchase.hasNothingNew(beyond: known) {
                ids = newOrders(
                    purchase.latestOrders.filter { !due.isOfEarlierPurchase($0) },
                    known: known.map { OrderID($0.transactionID) })
            }
            if let cut = purchase.periodCutShort(known) { ids.append(cut.transactionID) }
        }
        if due.wantsHistory || due.wantsOnlyRefunds { ids = known.map(\.transactionID) + ids }
        ids += due.awaited.map(\.id)
        if due.looksForRowsSetAside {
            ids += due.rowsSetAside.map(\.transactionID).filter { $0 != SetAside.unidentified }
        }
        return ids.uniqued()
    }

    /// All orders of an older purchase that only shows where a timeline comes from.
    static func orders(ofLinked purchase: Purchase) -> [String] { newOrders(purchase.latestOrders, known: []) }

    /// From the newest known order of the same base, or from the base, up to the latest; of too many the latest.
    private static func newOrders(_ latest: [OrderID], known: [OrderID]) -> [String] {
        latest.flatMap { last -> [String] in
            guard !known.contains(last) else { return [] }
            let newest = known.lazy.filter { $0.base == last.base }.map(\.position).max()
            // A latest order below what is known is unknown by itself: asked alone.
            let first = newest.map { min($0 + 1, last.position) } ?? 0
            return (max(first, last.position - longest + 1)...last.position).map {
                OrderID(base: last.base, position: $0).text
            }
        }
    }
}

extension DueSubscription {
    /// An item may still name an order of the purchase that this one continues: it was kept, or is replaced only later.
    func isOfEarlierPurchase(_ order: OrderID) -> Bool {
        knownEarlier.contains { OrderID($0.transactionID).base == order.base }
            && !known.contains { OrderID($0.transactionID).base == order.base }
    }
}

extension Purchase {
    /// The legacy interface names declined orders too: an order is new only with a later expiry.
    fileprivate func hasNothingNew(beyond known: [KnownPeriod]) -> Bool {
        guard namesDeclinedOrders, let end = known.compactMap(\.end).max(), let expiresAt else { return false }
        return expiresAt <= end
    }

    /// The newest known period of what ended before it was over: given back, or cut short by its successor.
    ///
    /// Its order has changed, or its row does.
    fileprivate func periodCutShort(_ known: [KnownPeriod]) -> KnownPeriod? {
        guard state == .expired, let expiresAt, let newest = known.max(by: { $0.start < $1.start }),
            let end = newest.end, expiresAt < end
        else { return nil }
        return newest
    }
}

extension [String] {
    /// Each once, in the order of their first appearance.
    func uniqued() -> [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
