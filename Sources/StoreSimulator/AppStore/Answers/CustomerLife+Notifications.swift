// SPDX-License-Identifier: Apache-2.0

/// Every event of a life in the store's own words for it.
extension CustomerLife {
    /// In the order they happen, the whole life long.
    func notifications() -> [AppStoreNotification] {
        let all = subscriptions.flatMap { $0.notifications() } + sales.flatMap { $0.saleNotifications() }
        return all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .enumerated().map { number, sorted in
                var placed = sorted.element
                placed.number = number
                return placed
            }
    }
}

extension Period {
    /// Of something sold once.
    fileprivate func saleNotifications() -> [AppStoreNotification] {
        let purchase = AppStorePurchase(sale: self)
        let request = refund.map { (at: $0.at - CivilTime.hour, type: "CONSUMPTION_REQUEST") }
        let requests = soldOnce == .consumable ? [request].compactMap(\.self) : []
        return ([(at: purchasedAt, type: "ONE_TIME_CHARGE")] + requests + refundNotifications).map {
            AppStoreNotification($0.at, $0.type, nil, purchase)
        }
    }

    /// A refund reported again with another date or share is a refund like the first.
    fileprivate var refundNotifications: [(at: Int64, type: String)] {
        let first = refund.map { [(at: $0.at, type: $0.isOfMoney ? "REFUND" : "REVOKE")] } ?? []
        return first + refundChanges.map { (at: $0.at, type: $0.value == nil ? "REFUND_REVERSED" : "REFUND") }
    }
}

extension SubscriptionLife {
    fileprivate func notifications() -> [AppStoreNotification] {
        periods.indices.flatMap { beginning(of: $0) + money(of: $0) + ending(of: $0) } + choices()
    }

    private func notification(_ at: Int64, _ type: String, _ subtype: String? = nil, period: Int)
        -> AppStoreNotification
    {
        AppStoreNotification(at, type, subtype, AppStorePurchase(self, period))
    }

    /// The purchase or renewal itself, and the offer it was bought under.
    private func beginning(of index: Int) -> [AppStoreNotification] {
        let (period, previous) = (periods[index], index > 0 ? periods[index - 1] : nil)
        let at = period.createdAt
        guard let previous else { return [notification(at, "SUBSCRIBED", "INITIAL_BUY", period: index)] }
        if period.seats?.isAddition == true {
            return [notification(at, "DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", period: index)]
        }
        if previous.upgradedAt != nil { return [notification(at, "DID_CHANGE_RENEWAL_PREF", "UPGRADE", period: index)] }
        guard period.reason == .renewal else { return [notification(at, "SUBSCRIBED", "RESUBSCRIBE", period: index)] }
        var isRecovery = false
        if case .billing = previous.ending { isRecovery = true }
        let renewal = notification(at, "DID_RENEW", isRecovery ? "BILLING_RECOVERY" : nil, period: index)
        return (period.offer == nil ? [] : [notification(at, "OFFER_REDEEMED", period: index)]) + [renewal]
    }

    private func money(of index: Int) -> [AppStoreNotification] {
        let period = periods[index]
        return period.refundNotifications.map { notification($0.at, $0.type, period: index) }
            + (period.seats?.givenBack.map { notification($0.at, "REFUND", "SEATS", period: index) } ?? [])
            + (period.commerce?.sums.map { notification($0.at, "REFUND", period: index) } ?? [])
            + (period.refundDeclinedAt.map { [notification($0, "REFUND_DECLINED", period: index)] } ?? [])
    }

    private func ending(of index: Int) -> [AppStoreNotification] {
        let period = periods[index]
        switch period.ending {
        case .goesOn: return []
        case .expires(let intent):
            return [notification(period.expiresAt, "EXPIRED", intent.subtype, period: index)]
        case .billing(let trouble):
            return failure(trouble, of: index)
        }
    }

    private func failure(_ trouble: Ending.BillingTrouble, of index: Int) -> [AppStoreNotification] {
        let (end, subtype): (Int64?, String) =
            switch trouble.outcome {
            case .recovers: (index + 1 < periods.count ? periods[index + 1].createdAt : nil, "")
            case .givenUp(let at): (at, "BILLING_RETRY")
            case .cancelled(let at): (at, "VOLUNTARY")
            }
        var all = [
            notification(
                periods[index].expiresAt, "DID_FAIL_TO_RENEW", trouble.graceEndsAt == nil ? nil : "GRACE_PERIOD",
                period: index)
        ]
        if let graceEndsAt = trouble.graceEndsAt, graceEndsAt < end ?? .max {
            all.append(notification(graceEndsAt, "GRACE_PERIOD_EXPIRED", period: index))
        }
        if let end, trouble.outcome != .recovers { all.append(notification(end, "EXPIRED", subtype, period: index)) }
        return all
    }

    /// What the customer switched or answered between two periods.
    private func choices() -> [AppStoreNotification] {
        let purchases = Set(periods.map(\.createdAt))
        let switches = autoRenew.filter { !purchases.contains($0.at) }.map { move in
            notification(
                move.at, "DID_CHANGE_RENEWAL_STATUS", move.value ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED",
                period: period(at: move.at))
        }
        let products = renewalProduct.filter { !purchases.contains($0.at) }.map { change in
            let index = period(at: change.at)
            // Back to what is running: the change to come was undone.
            return notification(
                change.at, "DID_CHANGE_RENEWAL_PREF",
                change.value == periods[index].productID ? nil : "DOWNGRADE", period: index)
        }
        let answers = priceConsent.compactMap { answer in
            answer.value.map { said in
                notification(
                    answer.at, "PRICE_INCREASE", said == .pending ? "PENDING" : "ACCEPTED",
                    period: period(at: answer.at))
            }
        }
        return switches + products + answers
    }

    /// The newest period at an instant.
    private func period(at instant: Int64) -> Int { periods.lastIndex { $0.createdAt <= instant } ?? 0 }
}

extension Ending.Intent {
    /// The word of the notification; there is none for a reason the store does not report.
    fileprivate var subtype: String? {
        switch self {
        case .voluntary: "VOLUNTARY"
        case .billing: "BILLING_RETRY"
        case .price: "PRICE_INCREASE"
        case .product: "PRODUCT_NOT_FOR_SALE"
        case .unknown: nil
        }
    }
}
