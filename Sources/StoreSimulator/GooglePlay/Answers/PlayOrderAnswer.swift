// SPDX-License-Identifier: Apache-2.0

/// An order as `orders.get` and `orders.batchGet` show it at the store's clock.
struct PlayOrderAnswer {
    let order: PlayOrder
    let token: PlayToken
    let customer: PlayCustomer
    let app: SimulatedApp
    let now: Int64

    private var isAmerican: Bool { customer.market == .unitedStates }
    private var isFirstOutside: Bool { token.expiredToken != nil && order.id == token.orders.first?.id }

    var document: WireObject {
        var answer: WireObject = [
            "orderId": order.id, "purchaseToken": token.token, "state": order.stateName(at: now),
            "createTime": PlayJSON.time(order.createdAt), "lastEventTime": PlayJSON.time(order.lastEvent(at: now)),
            "salesChannel": isFirstOutside ? "PLAY_STORE" : "IN_APP", "lineItems": order.lines.map(row(of:)),
            "orderHistory": history, "total": money(order.totalMicros), "tax": money(order.taxMicros),
        ]
        answer["orderDetails"] = ["taxInclusive": PlayJSON.flag(customer.market.isTaxInclusive)] as WireObject
        answer["developerRevenueInBuyerCurrency"] = order.shownRevenue(at: now).map(money)
        if order.showsAddress { answer["buyerAddress"] = address }
        if order.couponMicros > 0 { answer["pointsDetails"] = points }
        return answer
    }

    private func money(_ micros: Int64) -> WireObject { PlayJSON.money(micros, customer.market.currency) }

    private var address: WireObject {
        [
            "buyerState": isAmerican ? "CA" : nil, "buyerCountry": customer.market.country,
            "buyerPostcode": isAmerican ? "94043" : nil,
        ]
    }

    private var points: WireObject {
        [
            "pointsOfferId": "half-or-all", "pointsCouponValue": money(order.couponMicros),
            "pointsDiscountRateMicros": "500000", "pointsSpent": "100",
        ]
    }

    private func row(of line: PlayOrder.Line) -> WireObject {
        var row: WireObject = [
            "productId": line.product.identifier(in: app.bundleID), "productTitle": line.product.name,
            "listingPrice": money(line.listMicros), "total": money(line.totalMicros), "tax": money(line.taxMicros),
        ]
        if order.isOneTime {
            row["oneTimePurchaseDetails"] =
                ["quantity": order.quantity, "purchaseOptionId": line.product.basePlanID] as WireObject
        } else {
            row["subscriptionDetails"] = subscription(line)
        }
        return row
    }

    private func subscription(_ line: PlayOrder.Line) -> WireObject {
        let proration: WireObject? = line.phase == .proration ? ["originalOfferPhase": "BASE"] : nil
        let phase: WireObject = [
            "baseDetails": PlayJSON.present(line.phase == .base),
            "freeTrialDetails": PlayJSON.present(line.phase == .freeTrial),
            "introductoryPriceDetails": PlayJSON.present(line.phase == .introductory),
            "prorationPeriodDetails": proration,
        ]
        return [
            "basePlanId": line.product.basePlanID, "offerId": line.phase.offerID, "offerPhaseDetails": phase,
            "servicePeriodStartTime": PlayJSON.time(order.serviceStart),
            "servicePeriodEndTime": PlayJSON.time(order.serviceEnd),
        ]
    }

    private var history: WireObject {
        let event = { (at: Int64?) -> WireObject? in
            at.flatMap { $0 <= now ? ["eventTime": PlayJSON.time($0)] : nil }
        }
        let parts = order.refunds.filter { !$0.isWhole && $0.requestedAt <= now }.map(partial)
        return [
            "processedEvent": event(order.processedAt), "cancellationEvent": event(order.canceledAt),
            "partialRefundEvents": parts.isEmpty ? nil : parts,
            "refundEvent": order.refunds(at: now).first(where: \.isWhole).map(whole),
        ]
    }

    private func partial(_ refund: PlayOrder.Refund) -> WireObject {
        let isDone = refund.processedAt <= now
        return [
            "createTime": PlayJSON.time(refund.requestedAt),
            "processTime": isDone ? PlayJSON.time(refund.processedAt) : nil,
            "state": isDone ? "PROCESSED_SUCCESSFULLY" : "PENDING", "refundDetails": details(refund),
        ]
    }

    private func whole(_ refund: PlayOrder.Refund) -> WireObject {
        [
            "eventTime": PlayJSON.time(refund.processedAt),
            "refundReason": refund.isChargeback ? "CHARGEBACK" : "OTHER", "refundDetails": details(refund),
        ]
    }

    private func details(_ refund: PlayOrder.Refund) -> WireObject {
        ["total": money(refund.micros), "tax": money(refund.taxMicros)]
    }
}

extension PlayOrder {
    func stateName(at now: Int64) -> String {
        guard isSettled(at: now) else { return canceledAt.map { $0 <= now } == true ? "CANCELED" : "PENDING" }
        if isWhollyRefunded(at: now) { return "REFUNDED" }
        if refunds.contains(where: { $0.isWhole && $0.requestedAt <= now }) { return "PENDING_REFUND" }
        return refunds(at: now).isEmpty ? "PROCESSED" : "PARTIALLY_REFUNDED"
    }

    func lastEvent(at now: Int64) -> Int64 {
        let events =
            [createdAt, processedAt, canceledAt].compactMap(\.self)
            + refunds.flatMap { [$0.requestedAt, $0.processedAt] }
        return events.filter { $0 <= now }.max() ?? createdAt
    }

    /// The developer's part, less its share of what was given back; nothing while the order is not settled.
    func shownRevenue(at now: Int64) -> Int64? {
        guard isSettled(at: now), let revenueMicros else { return nil }
        guard totalMicros > 0 else { return couponMicros > 0 ? revenueMicros : nil }
        let left = totalMicros - refunds(at: now).map(\.micros).reduce(0, +)
        return PlayOrder.share(of: revenueMicros, left, in: totalMicros)
    }

    /// `amount` × `part` ÷ `whole`, floored; `whole` is positive.
    static func share(of amount: Int64, _ part: Int64, in whole: Int64) -> Int64 {
        whole.dividingFullWidth(amount.multipliedFullWidth(by: part)).quotient
    }
}
