// SPDX-License-Identifier: Apache-2.0

/// Renewal information as the App Store Server API signs it.
enum RenewalRow {
    static func row(
        of status: SubscriptionStatus, of life: SubscriptionLife, by customer: CustomerLife, at now: Int64
    ) -> WireObject {
        let period = life.periods[status.periodIndex]
        let isOn = life.renewsNext(status)
        var row: WireObject = [
            "originalTransactionId": life.originalTransactionID, "productId": period.productID,
            "autoRenewProductId": status.autoRenewProductID, "autoRenewStatus": isOn ? 1 : 0,
            "isInBillingRetryPeriod": status.isUnpaid, "renewalDate": period.expiresAt(at: now).milliseconds,
            "signedDate": now.milliseconds, "environment": customer.environment.storeName,
            "priceIncreaseStatus": status.priceConsent?.rawValue,
            "gracePeriodExpiresDate": status.graceEndsAt?.milliseconds,
        ]
        row["recentSubscriptionStartDate"] = (life.periods.first?.purchasedAt ?? period.purchasedAt).milliseconds
        let intent: Int? = status.state == .grace ? 2 : status.intent?.rawValue
        row["expirationIntent"] = intent
        if isOn {
            row["currency"] = customer.market.currency
            row["renewalPrice"] = life.renewalPrice(status, at: now, in: customer.market)
            if let seats = life.seatsRunning(at: now) { row.add(renewal(of: seats)) }
        }
        if let commerce = period.commerce {
            let items = period.itemsHeld(at: now)
            note(commerce, items: items, into: status.autoRenewProductID, isOn: isOn, in: &row)
        }
        if let commitment = period.commitment { note(commitment, status, in: &row) }
        return row
    }

    /// What the next renewal charges, seat by seat.
    private static func renewal(of seats: Seats) -> WireObject {
        let info: WireObject = ["renewalPriceTiers": TransactionRow.tiers(of: seats)]
        return ["renewalPrice": seats.averageMilliunits, "renewalQuantity": seats.count, "multiSeatInfo": info]
    }

    /// The items say what renews.
    private static func note(
        _ commerce: Commerce, items: [Commerce.Item], into productID: String, isOn: Bool, in row: inout WireObject
    ) {
        row.add([
            "productId": commerce.genericProductID, "autoRenewProductId": commerce.genericProductID,
            "advancedCommerceInfo": CommerceRow.renewal(of: items, into: productID, isOn: isOn),
        ])
    }

    /// What happens at the end of a plan that is paid by the month.
    private static func note(_ commitment: Commitment, _ status: SubscriptionStatus, in row: inout WireObject) {
        row["renewalBillingPlanType"] = "MONTHLY"
        let info: WireObject = [
            "commitmentAutoRenewProductId": status.autoRenewProductID,
            "commitmentAutoRenewStatus": status.autoRenew ? 1 : 0, "commitmentRenewalBillingPlanType": "MONTHLY",
            "commitmentRenewalDate": commitment.expiresAt.milliseconds,
            "commitmentRenewalPrice": commitment.priceMilliunits,
        ]
        row["commitmentInfo"] = info
    }
}
