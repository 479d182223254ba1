// SPDX-License-Identifier: Apache-2.0

import Stores

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
