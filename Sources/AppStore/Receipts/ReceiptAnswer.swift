// SPDX-License-Identifier: Apache-2.0

import Stores

/// The answer of `verifyReceipt`, in its present form and in that of iOS 6, where one transaction is in place of a
/// list and its renewal information beside it.
struct ReceiptAnswer: JSONReadable {
    let status: Int64?
    let environment: String?
    let receipt: ReceiptBody?
    let latestReceipt: String?
    /// Nil for each that cannot be read.
    let latestRows: [ReceiptRow?]
    let pendingRenewals: [PendingRenewal]
    let unknownFields: [String]

    init(_ fields: Fields) {
        status = fields.integer("status")
        environment = fields.text("environment")
        receipt = fields.value("receipt")
        latestReceipt = fields.text("latest_receipt")
        latestRows = (fields.list("latest_receipt_info") ?? []) + (fields.list("latest_expired_receipt_info") ?? [])
        let pending: [PendingRenewal?]? = fields.list("pending_renewal_info")
        let old = pending == nil ? PendingRenewal(fields) : nil
        pendingRenewals = (pending ?? []).compactMap(\.self) + [old].compactMap(\.self)
        unknownFields = fields.names(outside: Self.knownFields)
    }

    private static let knownFields: Set<String> = [
        "status", "environment", "receipt", "latest_receipt", "latest_receipt_info", "latest_expired_receipt_info",
        "pending_renewal_info", "is-retryable", "is_retryable", "auto_renew_status", "auto_renew_product_id",
        "expiration_intent", "is_in_billing_retry_period",
    ]
}

/// The receipt within the answer.
struct ReceiptBody: JSONReadable {
    let bundleID: String?
    let requestDate: ReceiptDate
    let inApp: [ReceiptRow?]

    init(_ fields: Fields) {
        bundleID = fields.text("bundle_id") ?? fields.text("bid")
        requestDate = ReceiptDate(fields, "request_date")
        // In the form of iOS 6 the receipt is the transaction.
        let isRow = fields.text("transaction_id") != nil
        let own: [ReceiptRow?] = isRow ? [ReceiptRow(fields)] : []
        inApp = (fields.list("in_app") ?? []) + own
    }
}

/// One transaction as a receipt lists it: no price, no currency, no country.
struct ReceiptRow: JSONReadable {
    let transactionID: String?
    let originalTransactionID: String?
    let webOrderLineItemID: String?
    let productID: String?
    let subscriptionGroup: String?
    let quantity: Int64?
    let purchaseDate: ReceiptDate
    let expiresDate: ReceiptDate
    let cancellationDate: ReceiptDate
    let cancellationReason: String?
    let isTrial: Bool
    let isInIntroductoryOffer: Bool
    let isUpgraded: Bool
    let promotionalOfferID: String?
    let offerCodeName: String?
    let ownership: String?
    /// Nil where it says nothing of a bundle.
    let bundle: BundleReference?
    let unknownFields: [String]

    init(_ fields: Fields) {
        transactionID = fields.text("transaction_id")
        originalTransactionID = fields.text("original_transaction_id")
        webOrderLineItemID = fields.text("web_order_line_item_id")
        productID = fields.text("product_id")
        subscriptionGroup = fields.text("subscription_group_identifier")
        quantity = fields.integer("quantity")
        purchaseDate = ReceiptDate(fields, "purchase_date")
        expiresDate = ReceiptDate(fields, "expires_date", formatted: "expires_date_formatted")
        cancellationDate = ReceiptDate(fields, "cancellation_date")
        cancellationReason = fields.text("cancellation_reason")
        isTrial = fields.flag("is_trial_period") ?? false
        isInIntroductoryOffer = fields.flag("is_in_intro_offer_period") ?? false
        isUpgraded = fields.flag("is_upgraded") ?? false
        promotionalOfferID = fields.text("promotional_offer_id")
        offerCodeName = fields.text("offer_code_ref_name")
        ownership = fields.text("in_app_ownership_type")
        let unknown = fields.names(outside: Self.knownFields)
        bundle = unknown.isEmpty ? nil : BundleReference(fields, among: unknown)
        unknownFields = bundle == nil ? unknown : unknown.filter { !BundleReference.isKnown($0) }
    }

    /// The same on every device and after every restore, unlike the transaction id.
    var periodKey: String? { webOrderLineItemID ?? transactionID }

    private static let knownFields: Set<String> = {
        let dates = ["purchase_date", "original_purchase_date", "expires_date", "cancellation_date"]
        let plain: Set<String> = [
            "quantity", "product_id", "transaction_id", "original_transaction_id", "web_order_line_item_id",
            "cancellation_reason", "is_trial_period", "is_in_intro_offer_period", "is_upgraded",
            "promotional_offer_id", "offer_code_ref_name", "subscription_group_identifier", "in_app_ownership_type",
            "app_account_token", "expires_date_formatted", "expires_date_formatted_pst",
            // iOS 6
            "bid", "bvrs", "item_id", "app_item_id", "version_external_identifier", "unique_identifier",
            "unique_vendor_identifier",
        ]
        return plain.union(dates.flatMap { [$0, $0 + "_ms", $0 + "_pst"] })
    }()
}

/// What the store means to do at the end of a subscription's current period.
struct PendingRenewal: JSONReadable {
    /// Nil in the form of iOS 6, where there is one subscription only.
    let originalTransactionID: String?
    let productID: String?
    let autoRenewProductID: String?
    let autoRenewStatus: Bool?
    let expirationIntent: String?
    let isInBillingRetry: Bool
    let graceExpiresDate: ReceiptDate

    init(_ fields: Fields) {
        originalTransactionID = fields.text("original_transaction_id")
        productID = fields.text("product_id")
        autoRenewProductID = fields.text("auto_renew_product_id")
        autoRenewStatus = fields.flag("auto_renew_status")
        expirationIntent = fields.text("expiration_intent")
        isInBillingRetry = fields.flag("is_in_billing_retry_period") ?? false
        graceExpiresDate = ReceiptDate(fields, "grace_period_expires_date")
    }
}
