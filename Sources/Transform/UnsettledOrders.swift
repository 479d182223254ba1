// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What becomes of a purchase's orders that its store has not settled, or did not return.
///
/// The latest is asked for again each night, and after the last of them with the checks of the purchase's state, as a dead
/// letter. One between others is asked for on the next night and then with the refund watch of the charge after it: what
/// never came was declined.
struct UnsettledOrders {
    /// Those that are still waited for.
    private(set) var awaited: [AwaitedOrder] = []
    /// When the first of them is asked for again; nil where they go with the checks of the state.
    private(set) var nextCheck: NextCheck?
    /// The latest ones that were waited for as long as one waits.
    private(set) var overdue: [AwaitedOrder] = []
    /// Those that are given up.
    private(set) var declined = 0

    /// `watchDays`: those of the refund watch, in days after a charge.
    init(_ unsettled: [UnsettledOrder], of due: DueSubscription, now: Instant, watchDays: [Int64]) {
        for order in unsettled {
            let before = due.awaited.first { $0.id == order.id }
            let asked = AwaitedOrder(order.id, askedAgain: before, now: now)
            if let followedAt = order.followedAt {
                take(asked, followedAt: followedAt, now: now, watchDays: watchDays)
            } else {
                takeLatest(asked)
            }
        }
    }

    private mutating func takeLatest(_ order: AwaitedOrder) {
        awaited.append(order)
        if order.isOverdue { overdue.append(order) } else { ask(at: order.nextNight, .nightly) }
    }

    private mutating func take(_ order: AwaitedOrder, followedAt: Instant, now: Instant, watchDays days: [Int64]) {
        if order.nights == 0 {
            awaited.append(order)
            ask(at: order.nextNight, .nightly)
        } else if let watch = RefundWatch.next(charges: [followedAt], checkedAt: now, days: days) {
            awaited.append(order)
            ask(at: watch, .refundWatch)
        } else {
            declined += 1
        }
    }

    private mutating func ask(at instant: Instant, _ reason: NextCheck.Reason) {
        if let at = nextCheck?.at, at <= instant { return }
        nextCheck = NextCheck(at: instant, reason: reason)
    }
}

extension TransformStage {
    /// Notes what the purchase waits for; returns when it is to be asked again for that.
    func awaitOrders(
        _ unsettled: [UnsettledOrder], of due: DueSubscription, into rows: inout ChunkRows
    ) -> NextCheck? {
        guard !unsettled.isEmpty || !due.awaited.isEmpty else { return nil }
        let orders = UnsettledOrders(unsettled, of: due, now: now, watchDays: refundWatchDays)
        rows.awaited[due.key] = orders.awaited
        if orders.declined > 0 { rows.unknownValues["order declined or lost", default: 0] += Int64(orders.declined) }
        rows.setAside += orders.overdue.map { order in
            SetAside(
                key: due.key, stage: "fetch", reason: "unsettled_order",
                detail: "Order \(order.id) is named by its purchase, and the store has not settled it, or does not "
                    + "return it, since \(AwaitedOrder.mostNights) nights: its money is not booked. Look at it in the "
                    + "store's console; it is asked for again with every check of the purchase.",
                transactionID: order.id)
        }
        return orders.nextCheck
    }
}
