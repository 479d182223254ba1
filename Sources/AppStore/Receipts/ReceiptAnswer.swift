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
