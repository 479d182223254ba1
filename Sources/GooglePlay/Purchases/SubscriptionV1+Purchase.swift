// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension SubscriptionV1 {
    /// A renewal may take so long without the store saying anything of it.
    private static let silentGrace = Span.hours(48)

    /// What it says of the purchase at that instant.
    ///
    /// Unknown numbers are counted.
    func purchase(
        until expiresAt: Instant, of due: DueSubscription?, readAt: Instant, unknownValues: inout UnknownValueCounts
    ) -> Purchase {
        unknownValues.note(fields: unknownFields, of: "subscription")
        let isOver = expiresAt <= readAt
        var purchase = Purchase(expiresAt: expiresAt, productID: due?.productID)
        purchase.state = isOver ? stateAfter(expiresAt, readAt: readAt, &unknownValues) : stateBefore(&unknownValues)
        purchase.mayAwaitFirstPayment = purchase.state == .grace
        purchase.isReplaced = cancelReason == 2
        purchase.endReason = purchase.state == .expired ? endReason(&unknownValues) : nil
        if purchase.endReason == .involuntary, isPriceOutstanding, due?.snapshot.state.isAwaitingPayment != true {
            purchase.endReason = .price
        }
        purchase.cancelledAt = cancelledAt
        purchase.autoRenew = isAutoRenewing
        purchase.autoRenewProductID = due?.productID
        purchase.resumesAt = resumesAt.flatMap { $0 > readAt ? $0 : nil }
        purchase.linkedToken = linkedToken
        purchase.isTest = purchaseType == 0
        purchase.country = country
        purchase.take(latestOrders: [orderID.map { OrderID($0) }].compactMap(\.self))
        purchase.namesDeclinedOrders = true
        purchase.isPaymentReceived = isPaymentReceived
        purchase.codeProducts = hasCode ? Set([due?.productID].compactMap(\.self)) : []
        // The order of a charge has its money: it is waited for. A test's is not to be had, nor one that nothing was paid for.
        let isAwaited = due?.awaited.contains { $0.id == orderID } ?? false
        if purchase.isTest || !(isPaymentReceived || isAwaited) {
            purchase.ownPeriod = period(until: expiresAt, of: due, readAt: readAt, &unknownValues)
        }
        return purchase
    }

    /// Past its expiry.
    ///
    /// A hold still awaits its payment; one that was given up has a reason.
    private func stateAfter(
        _ expiresAt: Instant, readAt: Instant, _ unknownValues: inout UnknownValueCounts
    ) -> SubscriptionState? {
        if paymentState == 0, cancelReason == nil { return .billingRetry }
        if let resumesAt, resumesAt > readAt { return .paused }
        guard isKnownPaymentState(&unknownValues) else { return nil }
        // A pause that is just over renews from its end on.
        let renewsAt = max(expiresAt, resumesAt ?? expiresAt)
        return isPaid && isAutoRenewing && readAt - renewsAt < Self.silentGrace ? .active : .expired
    }

    /// Received, be it with a change of plan to come, and not by a code that makes a purchase free.
    private var isPaymentReceived: Bool { (paymentState == 1 || paymentState == 3) && purchaseType != 1 }

    /// Received, free, or received with a change of plan to come.
    private var isPaid: Bool { paymentState.map { (1...3).contains($0) } ?? false }

    private func stateBefore(_ unknownValues: inout UnknownValueCounts) -> SubscriptionState? {
        guard isKnownPaymentState(&unknownValues) else { return nil }
        return paymentState == 0 ? .grace : .active
    }

    private func isKnownPaymentState(_ unknownValues: inout UnknownValueCounts) -> Bool {
        guard let paymentState, !(0...3).contains(paymentState) else { return true }
        unknownValues.note("subscription.paymentState=\(paymentState)")
        return false
    }

    private func endReason(_ unknownValues: inout UnknownValueCounts) -> EndReason {
        switch cancelReason {
        case 0: return .voluntary
        case 1: return .involuntary
        case 2: return .replaced
        case 3: return .developer
        case nil: return .unknown
        case .some(let unknown):
            unknownValues.note("subscription.cancelReason=\(unknown)")
            return .unknown
        }
    }

    /// The latest period, for a purchase whose orders are unknown; nil where the answer lacks the fields, or where its
    /// latest order is not paid for: awaited, or declined for good.
    ///
    /// What was declined is a renewal: without its first payment a purchase never began.
    private func period(
        until end: Instant, of due: DueSubscription?, readAt: Instant, _ unknownValues: inout UnknownValueCounts
    ) -> ObservedPeriod? {
        let known = due?.known.filter { $0.kind != .oneTime && $0.transactionID != orderID } ?? []
        guard paymentState != 0, let orderID, cancelReason != 1 || OrderID(orderID).isBase,
            let productID = due?.productID,
            let start = known.compactMap(\.end).max() ?? startedAt, start < end
        else { return nil }
        let (id, price) = (OrderID(orderID), ownPrice(OrderID(orderID)))
        let buyer = BuyerCountry([country], &unknownValues)
        let isIntroductory = hasIntroductoryPrice && id.isBase || paymentState == 2
        return ObservedPeriod(
            PeriodFacts(
                transactionID: id.text, periodKey: id.text, productID: productID, purchasedAt: start, start: start,
                end: end, offerType: isIntroductory ? .introductory : id.isBase && hasCode ? .code : nil,
                country: buyer.code, priceMicros: price.micros, currency: price.currency),
            SaleFacts(
                originalTransactionID: id.base, priceSource: price.micros == nil ? .missing : .storePrice,
                sourceVersion: readAt),
            isFreeOffer: paymentState == 2, hint: id.isBase ? nil : .renewal, isOfUnknownCountry: buyer.isUnknown)
    }

    /// Nothing for a free trial; a promotion's price only where the answer gives one.
    private func ownPrice(_ id: OrderID) -> (micros: Int64?, currency: String?) {
        let given = (id.isBase ? introductoryPrice : nil) ?? price
        if paymentState == 2 { return (0, given?.currency) }
        if let given { return (given.micros, given.currency) }
        return purchaseType == 1 ? (0, nil) : (nil, nil)
    }
}
