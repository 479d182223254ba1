// SPDX-License-Identifier: Apache-2.0

/// The body of verifyReceipt: numbers and truth values as strings, three spellings of every date, no prices.
enum ReceiptAnswer {
    /// One date in its three spellings, under names that end the store's way.
    static func dates(_ name: String, _ instant: Int64?) -> WireObject {
        guard let instant else { return [:] }
        return [
            name: CivilTime.receiptForm(instant), name + "_ms": String(instant / 1_000),
            name + "_pst": CivilTime.pacificForm(instant),
        ]
    }

    /// A row of `latest_receipt_info` or `in_app`; what is sold once has no end, no line item and no group.
    static func row(of purchase: AppStorePurchase, at now: Int64) -> WireObject {
        let (period, refund) = (purchase.period, purchase.period.refund(at: now))
        var row: WireObject = [
            "quantity": String(period.quantity), "product_id": period.productID,
            "transaction_id": period.transactionID(at: now), "original_transaction_id": purchase.originalTransactionID,
            "is_trial_period": period.isTrial ? "true" : "false", "in_app_ownership_type": purchase.ownership.storeName,
            "cancellation_reason": refund.map { String($0.reason) },
        ]
        row.add(dates("purchase_date", period.purchasedAt))
        row.add(dates("original_purchase_date", purchase.firstPurchasedAt))
        row.add(dates("cancellation_date", refund?.at))
        switch period.offer?.kind {
        case .promotional, .winBack, .retention: row["promotional_offer_id"] = period.offer?.identifier
        case .code: row["offer_code_ref_name"] = period.offer?.identifier
        case .introductory, nil: break
        }
        guard let life = purchase.life else { return row }
        let isIntroductory = period.offer?.kind == .introductory && !period.isTrial
        row["is_in_intro_offer_period"] = isIntroductory ? "true" : "false"
        row["web_order_line_item_id"] = period.lineItemID
        row["subscription_group_identifier"] = life.groupID
        row.add(dates("expires_date", period.expiresAt(at: now)))
        if let upgradedAt = period.upgradedAt, upgradedAt <= now { row["is_upgraded"] = "true" }
        return row
    }

    /// `pending_renewal_info`: where every subscription stands; nil for a customer who never had one.
    static func renewals(of customer: CustomerLife, at now: Int64) -> [WireObject]? {
        let rows = customer.subscriptions.compactMap { life in life.status(at: now).map { renewal($0, of: life) } }
        return rows.isEmpty ? nil : rows
    }

    private static func renewal(_ status: SubscriptionStatus, of life: SubscriptionLife) -> WireObject {
        let intent: Ending.Intent? = status.isUnpaid ? .billing : status.intent
        var row: WireObject = [
            "original_transaction_id": life.originalTransactionID,
            "product_id": life.periods[status.periodIndex].productID,
            "auto_renew_product_id": status.autoRenewProductID,
            "auto_renew_status": life.renewsNext(status) ? "1" : "0",
            "price_consent_status": status.priceConsent.map { String($0.rawValue) },
            "expiration_intent": intent.map { String($0.rawValue) },
        ]
        if status.state != .active { row["is_in_billing_retry_period"] = status.isUnpaid ? "1" : "0" }
        row.add(dates("grace_period_expires_date", status.graceEndsAt))
        return row
    }

    /// The receipt as it was made for that customer, read again.
    static func receipt(
        of customer: CustomerLife, in app: SimulatedApp, rows: [WireObject], at now: Int64
    ) -> WireObject {
        var receipt: WireObject = [
            "receipt_type": customer.environment.storeName, "bundle_id": app.bundleID, "adam_id": app.appAppleID,
            "application_version": "1", "original_application_version": "1", "in_app": rows,
        ]
        receipt.add(dates("request_date", now))
        return receipt
    }
}
