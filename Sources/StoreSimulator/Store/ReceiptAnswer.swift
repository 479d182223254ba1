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

    /// A row of `latest_receipt_info` or `in_app`.
    static func row(_ period: Period, of life: SubscriptionLife, at now: Int64) -> [String: String] {
        let refund = period.refund(at: now)
        var row = [
            "quantity": "1", "product_id": period.productID, "transaction_id": period.transactionID(at: now),
            "original_transaction_id": life.originalTransactionID, "web_order_line_item_id": period.lineItemID,
            "is_trial_period": period.isTrial ? "true" : "false",
            "is_in_intro_offer_period": period.offer?.kind == .introductory && !period.isTrial ? "true" : "false",
            "in_app_ownership_type": life.ownership.storeName, "subscription_group_identifier": life.groupID,
        ]
        row.merge(dates("purchase_date", period.purchasedAt)) { first, _ in first }
        row.merge(dates("original_purchase_date", life.periods.first?.purchasedAt)) { first, _ in first }
        row.merge(dates("expires_date", period.expiresAt)) { first, _ in first }
        row.merge(dates("cancellation_date", refund?.at)) { first, _ in first }
        if let refund { row["cancellation_reason"] = String(refund.reason) }
        if let upgradedAt = period.upgradedAt, upgradedAt <= now { row["is_upgraded"] = "true" }
        switch period.offer?.kind {
        case .promotional, .winBack: row["promotional_offer_id"] = period.offer?.identifier
        case .code: row["offer_code_ref_name"] = period.offer?.identifier
        case .introductory, nil: break
        }
        return row
    }

    /// The row of something that was sold once: no end, no line item, no group.
    static func row(_ sale: OneTimeSale, at now: Int64) -> [String: String] {
        let refund = sale.refund(at: now)
        var row = [
            "quantity": String(sale.quantity), "product_id": sale.productID, "transaction_id": sale.transactionID,
            "original_transaction_id": sale.transactionID, "is_trial_period": "false",
            "in_app_ownership_type": Ownership.purchased.storeName,
        ]
        row.merge(dates("purchase_date", sale.purchasedAt)) { first, _ in first }
        row.merge(dates("original_purchase_date", sale.purchasedAt)) { first, _ in first }
        row.merge(dates("cancellation_date", refund?.at)) { first, _ in first }
        if let refund { row["cancellation_reason"] = String(refund.reason) }
        if sale.offer?.kind == .code { row["offer_code_ref_name"] = sale.offer?.identifier }
        return row
    }

    /// An element of `pending_renewal_info`.
    static func renewal(_ standing: Standing, of life: SubscriptionLife) -> [String: String] {
        var row = [
            "original_transaction_id": life.originalTransactionID,
            "product_id": life.periods[standing.periodIndex].productID,
            "auto_renew_product_id": standing.autoRenewProductID, "auto_renew_status": standing.autoRenew ? "1" : "0",
        ]
        row["price_consent_status"] = standing.priceConsent.map { String($0.rawValue) }
        switch standing.status {
        case .active: break
        case .billingRetry, .grace:
            row["is_in_billing_retry_period"] = "1"
            row["expiration_intent"] = "2"
        case .expired, .revoked:
            row["is_in_billing_retry_period"] = "0"
            row["expiration_intent"] = standing.intent.map { String($0.rawValue) }
        }
        row.merge(dates("grace_period_expires_date", standing.graceEndsAt)) { first, _ in first }
        return row
    }

    struct Receipt: Encodable {
        var receipt_type: String
        var bundle_id: String
        var adam_id: Int64
        var application_version = "1"
        var original_application_version = "1"
        var in_app: [[String: String]]
        var request_date: String
        var request_date_ms: String
        var request_date_pst: String
    }

    struct Body: Encodable {
        var status: Int
        var environment: String?
        var receipt: Receipt?
        var latest_receipt_info: [[String: String]]?
        var latest_receipt: String?
        var pending_renewal_info: [[String: String]]?
    }
}
