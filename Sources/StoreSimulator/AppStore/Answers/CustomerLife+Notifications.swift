// SPDX-License-Identifier: Apache-2.0

/// Every event of a life in the store's own words for it.
extension CustomerLife {
    /// In the order they happen, the whole life long; `place`: the customer's in the store's list.
    func notifications(ofCustomer place: Int) -> [AppStoreNotification] {
        let all =
            subscriptions.flatMap { $0.notifications() }
            + sales.flatMap { AppStorePurchase(sale: $0).saleNotifications }
        return all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .enumerated().map { number, sorted in
                var placed = sorted.element
                (placed.customer, placed.number) = (place, number)
                return placed
            }
    }
}

extension AppStorePurchase {
    fileprivate func notification(at: Int64, _ type: String, _ subtype: String? = nil) -> AppStoreNotification {
        AppStoreNotification(at: at, type: type, subtype: subtype, purchase: self)
    }

    /// A refund reported again with another date or share is a refund like the first.
    fileprivate var refundNotifications: [AppStoreNotification] {
        let first = period.refund.map { notification(at: $0.at, $0.isOfMoney ? "REFUND" : "REVOKE") }
        let changes = period.refundChanges.map {
            notification(at: $0.at, $0.value == nil ? "REFUND_REVERSED" : "REFUND")
        }
        return [first].compactMap(\.self) + changes
    }

    /// Of something sold once.
    fileprivate var saleNotifications: [AppStoreNotification] {
        let request = period.soldOnce == .consumable ? period.refund.map { $0.at - CivilTime.hour } : nil
        return [notification(at: period.purchasedAt, "ONE_TIME_CHARGE")]
            + [request].compactMap(\.self).map { notification(at: $0, "CONSUMPTION_REQUEST") } + refundNotifications
    }

    /// What a subscription's transaction was refunded, or was not.
    fileprivate var moneyNotifications: [AppStoreNotification] {
        refundNotifications + (period.seats?.givenBack.map { notification(at: $0.at, "REFUND", "SEATS") } ?? [])
            + (period.commerce?.sums.map { notification(at: $0.at, "REFUND") } ?? [])
            + (period.refundDeclinedAt.map { [notification(at: $0, "REFUND_DECLINED")] } ?? [])
    }
}

extension SubscriptionLife {
    fileprivate func notifications() -> [AppStoreNotification] {
        periods.indices.flatMap { index in
            let purchase = AppStorePurchase(self, index)
            let extended = purchase.period.extended.map { purchase.notification(at: $0.at, "RENEWAL_EXTENDED") }
            return beginning(of: purchase) + [extended].compactMap(\.self) + purchase.moneyNotifications
                + ending(of: purchase)
        } + choices()
    }

    /// The purchase or renewal itself, and the offer it was bought under.
    private func beginning(of purchase: AppStorePurchase) -> [AppStoreNotification] {
        let (period, at) = (purchase.period, purchase.period.createdAt)
        guard purchase.index > 0 else { return [purchase.notification(at: at, "SUBSCRIBED", "INITIAL_BUY")] }
        let previous = periods[purchase.index - 1]
        if period.seats?.isAddition == true {
            return [purchase.notification(at: at, "DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY")]
        }
        if previous.upgradedAt != nil { return [purchase.notification(at: at, "DID_CHANGE_RENEWAL_PREF", "UPGRADE")] }
        guard period.reason == .renewal else { return [purchase.notification(at: at, "SUBSCRIBED", "RESUBSCRIBE")] }
        var isRecovery = false
        if case .billing = previous.ending { isRecovery = true }
        let renewal = purchase.notification(at: at, "DID_RENEW", isRecovery ? "BILLING_RECOVERY" : nil)
        return period.offer == nil ? [renewal] : [purchase.notification(at: at, "OFFER_REDEEMED"), renewal]
    }

    /// The expiry, or what came of a payment that failed.
    private func ending(of purchase: AppStorePurchase) -> [AppStoreNotification] {
        let period = purchase.period
        switch period.ending {
        case .goesOn: return []
        case .expires(let intent): return [purchase.notification(at: period.expiresAt, "EXPIRED", intent.subtype)]
        case .billing(let trouble):
            let grace = trouble.graceEndsAt
            let subtype = grace == nil ? nil : "GRACE_PERIOD"
            let failure = purchase.notification(at: period.expiresAt, "DID_FAIL_TO_RENEW", subtype)
            let (end, expiry): (Int64?, AppStoreNotification?) =
                switch trouble.outcome {
                case .recovers: (periods.dropFirst(purchase.index + 1).first?.createdAt, nil)
                case .givenUp(let at): (at, purchase.notification(at: at, "EXPIRED", "BILLING_RETRY"))
                case .cancelled(let at): (at, purchase.notification(at: at, "EXPIRED", "VOLUNTARY"))
                }
            let graceEnd = grace.flatMap {
                $0 < end ?? .max ? purchase.notification(at: $0, "GRACE_PERIOD_EXPIRED") : nil
            }
            return [failure, graceEnd, expiry].compactMap(\.self)
        }
    }

    /// What the customer switched or answered between two periods.
    private func choices() -> [AppStoreNotification] {
        let purchases = Set(periods.map(\.createdAt))
        let switches = autoRenew.filter { !purchases.contains($0.at) }.map { move in
            running(at: move.at).notification(
                at: move.at, "DID_CHANGE_RENEWAL_STATUS", move.value ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
        }
        let products = renewalProduct.filter { !purchases.contains($0.at) }.map { change in
            let running = running(at: change.at)
            // Back to what is running: the change to come was undone.
            let isUndone = change.value == running.period.productID
            return running.notification(at: change.at, "DID_CHANGE_RENEWAL_PREF", isUndone ? nil : "DOWNGRADE")
        }
        let answers = priceConsent.compactMap { answer in
            answer.value.map { said in
                running(at: answer.at).notification(
                    at: answer.at, "PRICE_INCREASE", said == .pending ? "PENDING" : "ACCEPTED")
            }
        }
        return switches + products + answers
    }

    /// The newest period at an instant.
    private func running(at instant: Int64) -> AppStorePurchase {
        AppStorePurchase(self, periods.lastIndex { $0.createdAt <= instant } ?? 0)
    }
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
