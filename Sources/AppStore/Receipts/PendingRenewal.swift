// SPDX-License-Identifier: Apache-2.0

import Stores

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
