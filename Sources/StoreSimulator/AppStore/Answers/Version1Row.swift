// SPDX-License-Identifier: Apache-2.0

/// A version 1 notification: unsigned, its numbers and truth values texts, with the customer's newest receipt.
///
/// It does not say which of the receipt's one-time purchases it is about.
enum Version1Row {
    /// How many rows of a receipt are sent at most.
    private static let newest = 100

    /// Everything in it is of the notification's own instant.
    ///
    /// The password is the only proof of where it comes from.
    static func row(
        of notification: AppStoreNotification, type: String, to customer: CustomerLife, of app: SimulatedApp,
        password: String
    ) -> WireObject {
        let (at, environment) = (notification.at, customer.environment)
        let rows = customer.purchases(at: at).sorted { $0.period.purchasedAt > $1.period.purchasedAt }.prefix(newest)
        let receipt: WireObject = [
            "status": 0, "environment": environment.storeName,
            "latest_receipt": AppStoreBackend.receipt(of: customer, at: at),
            "latest_receipt_info": rows.map { ReceiptAnswer.row(of: $0, at: at) },
            "pending_renewal_info": ReceiptAnswer.renewals(of: customer, at: at),
        ]
        var row: WireObject = [
            "notification_type": type, "password": password, "bid": app.bundleID, "bvrs": "1",
            // Spelt otherwise than in the receipt.
            "environment": environment == .production ? "PROD" : environment.storeName, "unified_receipt": receipt,
        ]
        note(notification.purchase, type, at: at, in: &row)
        return row
    }

    /// Where the subscription stands that it is about.
    private static func note(_ purchase: AppStorePurchase, _ type: String, at now: Int64, in row: inout WireObject) {
        guard let life = purchase.life, let status = life.status(at: now) else { return }
        row.add([
            "original_transaction_id": life.originalTransactionID, "auto_renew_product_id": status.autoRenewProductID,
            "auto_renew_status": life.renewsNext(status) ? "true" : "false",
            "expiration_intent": status.intent.map { String($0.rawValue) },
        ])
        if type == "DID_CHANGE_RENEWAL_STATUS" { row.add(ReceiptAnswer.dates("auto_renew_status_change_date", now)) }
        if type == "CANCEL", let refund = purchase.period.refund(at: now) {
            row.add(ReceiptAnswer.dates("cancellation_date", refund.at))
            row["web_order_line_item_id"] = purchase.period.lineItemID
        }
    }
}
