// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension SubscriptionV2 {
    /// The store still calls it running this long after the expiry: that is counted.
    private static let longestSilentGrace = Span.hours(48)

    /// What it says of the purchase at that instant.
    ///
    /// Unknown words are counted.
    ///
    /// `wasAwaitingPayment`: the store was waiting for a payment when it was last asked.
    func purchase(readAt: Instant, wasAwaitingPayment: Bool = false, unknownValues: inout UnknownValueCounts)
        -> Purchase
    {
        note(&unknownValues)
        let main = mainItem
        let product = main?.productID.flatMap { KeyText.fits($0) ? $0 : nil }
        var purchase = Purchase(raw: state, expiresAt: main?.expiresAt, productID: product)
        purchase.state = resolvedState(expiresAt: main?.expiresAt, readAt: readAt, &unknownValues)
        purchase.isReplaced = cancellation == .replaced
        purchase.endReason = purchase.state == .expired ? endReason(of: main, wasAwaitingPayment) : nil
        purchase.cancelledAt = cancelledAt
        purchase.isPrepaid = items.contains(where: \.isPrepaid)
        purchase.autoRenew = autoRenews
        purchase.autoRenewProductID = purchase.isPrepaid ? nil : main?.replacementProductID ?? main?.productID
        if let plan = main?.installments, plan.isCancelled { purchase.committedPayments = plan.remaining }
        purchase.recurringPrice = recurringPrice
        purchase.isBelowItsPrice = owned.contains(where: \.isBelowItsPrice)
        purchase.resumesAt = resumesAt
        purchase.linkedToken = linkedToken
        purchase.isTest = isTest
        purchase.country = regionCode
        purchase.codeProducts = Set(items.filter(\.hasCode).compactMap(\.productID))
        purchase.take(latestOrders: latestOrders)
        purchase.items = owned.count < 2 ? [] : owned.compactMap(\.observed).filter { KeyText.fits($0.productID) }
        for item in owned { if let product = item.productID { purchase.itemEnds[product] = item.expiresAt } }
        return purchase
    }

    /// What the customer has: an item that takes another one's place later has no order yet.
    ///
    /// Of a purchase that was not paid for, all.
    private var owned: [ItemV2] {
        let owned = items.filter { $0.latestOrderID != nil }
        return owned.isEmpty ? items : owned
    }

    /// The one that lasts longest; of equals the first.
    private var mainItem: ItemV2? {
        owned.reduce(nil) { best, item in
            guard let best else { return item }
            return (item.expiresAt ?? .distantPast) > (best.expiresAt ?? .distantPast) ? item : best
        }
    }

    private var autoRenews: Bool? {
        let hasLeft = items.contains { $0.installments?.isCancelled == true }
        if state == "CANCELED" || (state == "EXPIRED" && hasLeft) { return false }
        let reported = items.compactMap(\.autoRenews)
        return reported.isEmpty ? nil : reported.contains(true)
    }

    /// The sum of what renews as it is; nil where any of it has no price, or another currency.
    private var recurringPrice: RenewalPrice? {
        let prices = owned.filter { $0.autoRenews == true && $0.replacementProductID == nil }.map(\.recurringPrice)
        guard let first = prices.first??.currency, prices.allSatisfy({ $0?.currency == first }) else { return nil }
        let micros = prices.compactMap { $0?.micros }.reduce(Int128(0)) { $0 + Int128($1) }
        return Int64(exactly: micros).flatMap { RenewalPrice(micros: $0, currency: first) }
    }

    private func resolvedState(expiresAt: Instant?, readAt: Instant, _ unknownValues: inout UnknownValueCounts)
        -> SubscriptionState?
    {
        switch state {
        case "PENDING": return .pending
        case "ACTIVE":
            if let expiresAt, readAt - expiresAt > Self.longestSilentGrace {
                unknownValues.note("active 48 h past expiry")
            }
            return .active
        case "IN_GRACE_PERIOD": return .grace
        case "ON_HOLD": return .billingRetry
        case "PAUSED": return .paused
        case "CANCELED":
            if expiresAt == nil { unknownValues.note("subscription.expiryTime missing") }
            return expiresAt.map { $0 > readAt ? .active : .expired }
        case "EXPIRED", "PENDING_PURCHASE_CANCELED", "PENDING_PURCHASE_EXPIRED": return .expired
        default:
            unknownValues.note("subscription.subscriptionState=\(state ?? "")")
            return nil
        }
    }

    /// The system ends for want of a payment what the customer had not agreed to pay more for, too: that is the price's end.
    private func endReason(of main: ItemV2?, _ wasAwaitingPayment: Bool) -> EndReason {
        guard state == "EXPIRED" || state == "CANCELED", let cancellation else { return .unknown }
        guard cancellation == .involuntary, !wasAwaitingPayment, let main, main.endedForItsPrice else {
            return cancellation
        }
        return .price
    }

    /// Of each base order the latest; older answers name only one.
    private var latestOrders: [OrderID] {
        let named = items.compactMap(\.latestOrderID)
        let ids = (named.isEmpty ? [latestOrderID].compactMap(\.self) : named).uniqued().map { OrderID($0) }
        return ids.filter { id in !ids.contains { $0.base == id.base && $0.position > id.position } }
    }

    private func note(_ unknownValues: inout UnknownValueCounts) {
        unknownValues.note(fields: unknownFields, of: "subscription")
        for item in items { unknownValues.note(fields: item.unknownFields, of: "subscription.item") }
        if hasUnreadableItems { unknownValues.note("subscription.item unreadable") }
        if hasUnknownCancellation { unknownValues.note("subscription.canceledStateContext unknown") }
    }
}

extension ItemV2 {
    fileprivate var observed: SubscriptionItem? {
        productID.map {
            SubscriptionItem(
                productID: $0, expiresAt: expiresAt, autoRenew: autoRenews, latestTransactionID: latestOrderID)
        }
    }
}
