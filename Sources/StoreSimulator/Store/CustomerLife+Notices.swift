// SPDX-License-Identifier: Apache-2.0

/// Every event of a life in the store's own words for it.
extension CustomerLife {
    /// In the order they happen, the whole life long.
    func notices() -> [Notice] {
        let all = subscriptions.flatMap { $0.notices() } + sales.flatMap { $0.notices() }
        return all.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .enumerated().map { number, sorted in
                var notice = sorted.element
                notice.number = number
                return notice
            }
    }
}

extension OneTimeSale {
    fileprivate func notices() -> [Notice] {
        let request = refund.map { Notice($0.at - CivilTime.hour, "CONSUMPTION_REQUEST", nil, .sale(self)) }
        return [Notice(purchasedAt, "ONE_TIME_CHARGE", nil, .sale(self))]
            + (kind == .consumable ? [request].compactMap(\.self) : [])
            + refundNotices.map { Notice($0.at, $0.type, nil, .sale(self)) }
    }
}

extension SubscriptionLife {
    fileprivate func notices() -> [Notice] {
        periods.indices.flatMap { beginning(of: $0) + money(of: $0) + ending(of: $0) } + choices()
    }

    private func notice(_ at: Int64, _ type: String, _ subtype: String? = nil, period: Int) -> Notice {
        Notice(at, type, subtype, .subscription(self, period: period))
    }

    /// The purchase or renewal itself, and the offer it was bought under.
    private func beginning(of index: Int) -> [Notice] {
        let (period, previous) = (periods[index], index > 0 ? periods[index - 1] : nil)
        let at = period.createdAt
        guard let previous else { return [notice(at, "SUBSCRIBED", "INITIAL_BUY", period: index)] }
        if period.seats?.isAddition == true {
            return [notice(at, "DID_CHANGE_RENEWAL_PREF", "INCREASE_QUANTITY", period: index)]
        }
        if previous.upgradedAt != nil { return [notice(at, "DID_CHANGE_RENEWAL_PREF", "UPGRADE", period: index)] }
        guard period.reason == .renewal else { return [notice(at, "SUBSCRIBED", "RESUBSCRIBE", period: index)] }
        var isRecovery = false
        if case .billing = previous.ending { isRecovery = true }
        let renewal = notice(at, "DID_RENEW", isRecovery ? "BILLING_RECOVERY" : nil, period: index)
        return (period.offer == nil ? [] : [notice(at, "OFFER_REDEEMED", period: index)]) + [renewal]
    }

    private func money(of index: Int) -> [Notice] {
        let period = periods[index]
        return period.refundNotices.map { notice($0.at, $0.type, period: index) }
            + (period.seats?.givenBack.map { notice($0.at, "REFUND", "SEATS", period: index) } ?? [])
            + (period.commerce?.sums.map { notice($0.at, "REFUND", period: index) } ?? [])
            + (period.refundDeclinedAt.map { [notice($0, "REFUND_DECLINED", period: index)] } ?? [])
    }

    private func ending(of index: Int) -> [Notice] {
        let period = periods[index]
        switch period.ending {
        case .goesOn: return []
        case .expires(let intent):
            return [notice(period.expiresAt, "EXPIRED", intent.subtype, period: index)]
        case .billing(let trouble):
            return failure(trouble, of: index)
        }
    }

    private func failure(_ trouble: Ending.BillingTrouble, of index: Int) -> [Notice] {
        let (end, subtype): (Int64?, String) =
            switch trouble.outcome {
            case .recovers: (index + 1 < periods.count ? periods[index + 1].createdAt : nil, "")
            case .givenUp(let at): (at, "BILLING_RETRY")
            case .cancelled(let at): (at, "VOLUNTARY")
            }
        var notices = [
            notice(
                periods[index].expiresAt, "DID_FAIL_TO_RENEW", trouble.graceEndsAt == nil ? nil : "GRACE_PERIOD",
                period: index)
        ]
        if let graceEndsAt = trouble.graceEndsAt, graceEndsAt < end ?? .max {
            notices.append(notice(graceEndsAt, "GRACE_PERIOD_EXPIRED", period: index))
        }
        if let end, trouble.outcome != .recovers { notices.append(notice(end, "EXPIRED", subtype, period: index)) }
        return notices
    }

    /// What the customer switched or answered between two periods.
    private func choices() -> [Notice] {
        let purchases = Set(periods.map(\.createdAt))
        let switches = autoRenew.filter { !purchases.contains($0.at) }.map { move in
            notice(
                move.at, "DID_CHANGE_RENEWAL_STATUS", move.value ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED",
                period: period(at: move.at))
        }
        let products = renewalProduct.filter { !purchases.contains($0.at) }.map { change in
            let index = period(at: change.at)
            // Back to what is running: the change to come was undone.
            return notice(
                change.at, "DID_CHANGE_RENEWAL_PREF",
                change.value == periods[index].productID ? nil : "DOWNGRADE", period: index)
        }
        let answers = priceConsent.compactMap { answer in
            answer.value.map { said in
                notice(
                    answer.at, "PRICE_INCREASE", said == .pending ? "PENDING" : "ACCEPTED",
                    period: period(at: answer.at))
            }
        }
        return switches + products + answers
    }

    /// The newest period at an instant.
    private func period(at instant: Int64) -> Int { periods.lastIndex { $0.createdAt <= instant } ?? 0 }
}

extension Refundable {
    /// A refund told again with another date or share is a refund like the first.
    fileprivate var refundNotices: [(at: Int64, type: String)] {
        let first = refund.map { [(at: $0.at, type: $0.isOfMoney ? "REFUND" : "REVOKE")] } ?? []
        return first + refundChanges.map { (at: $0.at, type: $0.value == nil ? "REFUND_REVERSED" : "REFUND") }
    }
}

extension Ending.Intent {
    /// The word of the notification; there is none for a reason the store does not tell.
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
