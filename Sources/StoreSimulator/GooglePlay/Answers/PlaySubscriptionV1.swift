// SPDX-License-Identifier: Apache-2.0

/// The answer of the old `purchases.subscriptions.get`.
enum PlaySubscriptionV1 {
    /// What the store shows of a purchase that stands so; nil where it has no item.
    static func answer(_ token: PlayToken, _ moment: PlayMoment, of customer: PlayCustomer) -> WireObject? {
        guard let item = moment.mainItem else { return nil }
        let market = customer.market
        var answer: WireObject = [
            "kind": "androidpublisher#subscriptionPurchase", "developerPayload": "",
            "startTimeMillis": PlayJSON.milliseconds(token.startedAt),
            "expiryTimeMillis": PlayJSON.milliseconds(item.expiresAt),
            "autoResumeTimeMillis": moment.resumesAt.map(PlayJSON.milliseconds), "autoRenewing": item.renews,
            "priceCurrencyCode": market.currency, "countryCode": market.country,
            "linkedPurchaseToken": token.linkedToken, "acknowledgementState": token.isAcknowledged ? 1 : 0,
            "obfuscatedExternalAccountId": customer.accountID,
        ]
        answer["priceAmountMicros"] = String(item.recurringMicros ?? market.playPrice(of: item.product))
        answer["orderId"] = moment.declinedOrderID ?? item.latestOrderID
        if token.isTest { answer["purchaseType"] = 0 }
        answer["priceChange"] = priceChange(of: item, at: moment, in: market)
        if token.startedAt / CivilTime.second % 7 == 0 { answer["emailAddress"] = "erika.mustermann@example.com" }
        if let line = token.orders.first?.lines.first, line.phase == .introductory {
            let offer: WireObject = [
                "introductoryPriceCurrencyCode": market.currency,
                "introductoryPriceAmountMicros": String(line.totalMicros - line.taxMicros),
                "introductoryPricePeriod": item.product.term.iso8601, "introductoryPriceCycles": 1,
            ]
            answer["introductoryPriceInfo"] = offer
        }
        answer["paymentState"] = paymentState(moment, item)
        addCancellation(moment.cancellation, in: &answer)
        return answer
    }

    /// Shown until it is in force or taken back, or the purchase ends.
    private static func priceChange(
        of item: PlayMoment.Item, at moment: PlayMoment, in market: Market
    ) -> WireObject? {
        guard let change = item.priceChange, [.outstanding, .confirmed].contains(change.state),
            moment.cancellation == nil
        else { return nil }
        let price: WireObject = ["currency": market.currency, "priceMicros": String(change.newMicros)]
        return ["newPrice": price, "state": change.state == .confirmed ? 1 : 0]
    }

    private static func paymentState(_ moment: PlayMoment, _ item: PlayMoment.Item) -> Int? {
        switch moment.state {
        case .grace, .hold, .pending: 0
        case .active, .paused: item.phase == .freeTrial ? 2 : 1
        case .canceled, .expired, .pendingCanceled: nil
        }
    }

    private static func addCancellation(_ cancellation: PlayMoment.Cancellation?, in answer: inout WireObject) {
        switch cancellation {
        case .user(let at):
            answer["cancelReason"] = 0
            answer["userCancellationTimeMillis"] = PlayJSON.milliseconds(at)
        case .system: answer["cancelReason"] = 1
        case .replacement: answer["cancelReason"] = 2
        case .developer: answer["cancelReason"] = 3
        case nil: break
        }
    }
}
