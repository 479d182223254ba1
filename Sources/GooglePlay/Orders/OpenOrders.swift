// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The orders of a purchase that were asked for and are neither settled nor cancelled.
struct OpenOrders {
    private let due: DueSubscription
    private let purchase: Purchase?
    private let periods: [ObservedPeriod]
    private let open: [String]

    /// `purchase`: what the store says of it; nil where only its orders were looked at.
    ///
    /// `periods`: those of its orders that the answer has. `finalOrders`: those of which there is nothing to wait for.
    init(of due: DueSubscription, purchase: Purchase?, periods: [ObservedPeriod], finalOrders: Set<String>) {
        (self.due, self.purchase, self.periods) = (due, purchase, periods)
        open = OrderPlan.orders(of: due, purchase).filter { !finalOrders.contains($0) }
    }

    /// Those that are asked for again: the latest that the purchase names while it runs, those before a charge that is
    /// known, and what was waited for already.
    ///
    /// A test purchase's may never be to be had.
    func unsettled(in environment: PurchaseEnvironment) -> [UnsettledOrder] {
        guard environment == .production, !open.isEmpty else { return [] }
        let charges = ChargeTimes(periods, due.known + due.knownEarlier)
        let named = purchase.map { $0.state == .active && $0.isPaymentReceived ? $0.latestOrders : [] } ?? []
        // A declined renewal's order stays pending while its payment is awaited: paid, the purchase names it again.
        let isDeclined = purchase?.state.map { [.grace, .billingRetry, .paused].contains($0) } ?? false
        let awaited = isDeclined ? [] : Set(due.awaited.map(\.id))
        return open.compactMap { text in
            let id = OrderID(text)
            guard !charges.contains(id) else { return nil }
            if let followedAt = charges.after(id) { return UnsettledOrder(id: text, followedAt: followedAt) }
            return named.contains(id) || awaited.contains(text) ? UnsettledOrder(id: text) : nil
        }
    }
}
