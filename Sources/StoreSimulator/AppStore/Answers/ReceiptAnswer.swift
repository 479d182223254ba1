// SPDX-License-Identifier: Apache-2.0

/// The body of verifyReceipt: numbers and truth values as strings, three spellings of every date, no prices.
enum ReceiptAnswer {
    /// One date in its three spellings, under names that end the store's way.
    static func dates(_ name: String, _ instant: Int64?) -> [String: String] {
        guard let instant else { return [:] }
        return [
            name: CivilTime.receiptForm(instant), name + "_ms": String(instant / 1_000),
            name + "_pst": CivilTime.pacificForm(instant),
        ]
    }

    /// A row of `latest_receipt_info` or `in_app`; what is sold once has no end, no line item and no group.
    static func row(of purchase: AppStorePurchase, at now: Int64) -> [String: String] {
        let (period, refund) = (purchase.period, purchase.period.refund(at: now))
        var row = [
            "quantity": String(period.quantity), "product_id": period.productID,
            "transaction_id": period.transactionID(at: now), "original_transaction_id": purchase.originalTransactionID,
            "is_trial_period": period.isTrial ? "true" : "false", "in_app_ownership_type": purchase.ownership.storeName,
        ]
        row.merge(dates("purchase_date", period.purchasedAt)) { first, _ in first }
        row.merge(dates("original_purchase_date", purchase.firstPurchasedAt)) { first, _ in first }
        row.merge(dates("cancellation_date", refund?.at)) { first, _ in first }
        if let refund { row["cancellation_reason"] = String(refund.reason) }
        switch period.offer?.kind {
        case .promotional, .winBack: row["promotional_offer_id"] = period.offer?.identifier
        case .code: row["offer_code_ref_name"] = period.offer?.identifier
        case .introductory, nil: break
        }
        guard let life = purchase.life else { return row }
        let isIntroductory = period.offer?.kind == .introductory && !period.isTrial
        row["is_in_intro_offer_period"] = isIntroductory ? "true" : "false"
        row["web_order_line_item_id"] = period.lineItemID
        row["subscription_group_identifier"] = life.groupID
        row.merge(dates("expires_date", period.expiresAt)) { first, _ in first }
        if let upgradedAt = period.upgradedAt, upgradedAt <= now { row["is_upgraded"] = "true" }
        return row
    }

    /// An element of `pending_renewal_info`.
    static func renewal(_ status: SubscriptionStatus, of life: SubscriptionLife) -> [String: String] {
        var row = [
            "original_transaction_id": life.originalTransactionID,
            "product_id": life.periods[status.periodIndex].productID,
            "auto_renew_product_id": status.autoRenewProductID, "auto_renew_status": status.autoRenew ? "1" : "0",
        ]
        row["price_consent_status"] = status.priceConsent.map { String($0.rawValue) }
        switch status.state {
        case .active: break
        case .billingRetry, .grace:
            row["is_in_billing_retry_period"] = "1"
            row["expiration_intent"] = "2"
        case .expired, .revoked:
            row["is_in_billing_retry_period"] = "0"
            row["expiration_intent"] = status.intent.map { String($0.rawValue) }
        }
        row.merge(dates("grace_period_expires_date", status.graceEndsAt)) { first, _ in first }
        return row
    }

    /// The receipt as it was made for that customer, read again.
    static func receipt(
        of customer: CustomerLife, in app: SimulatedApp, rows: [[String: String]], at now: Int64
    ) -> WireObject {
        var receipt = WireObject(dates("request_date", now))
        receipt["receipt_type"] = customer.environment.storeName
        receipt["bundle_id"] = app.bundleID
        receipt["adam_id"] = app.appAppleID
        receipt["application_version"] = "1"
        receipt["original_application_version"] = "1"
        receipt["in_app"] = rows.map(WireObject.init)
        return receipt
    }
}
