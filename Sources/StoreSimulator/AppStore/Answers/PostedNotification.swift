// SPDX-License-Identifier: Apache-2.0

/// A version 1 notification as it reached the owner's server.
package struct PostedNotification: Hashable, Sendable {
    package var appID: String
    /// When the server took it in.
    package var at: Int64
    package var type: String
    package var payload: String
}

extension AppStoreBackend {
    /// Those of all apps, in the order they arrived. Of each the first try that succeeds is the only one that counts: it is
    /// never sent again.
    func posts(since: Int64, until: Int64) throws -> [PostedNotification] {
        let latest = (AppStoreNotification.version1Hours.max() ?? 0) * CivilTime.hour
        let posts = try apps.filter(\.hasVersion1Notifications).flatMap { app in
            let sent = (notificationsByApp[app.id] ?? []).filter { $0.at <= until && $0.at + latest > since }
            return try sent.compactMap { one -> PostedNotification? in
                guard let type = one.version1Type, let at = one.arrival(by: until), at > since else { return nil }
                let row = Version1Row.row(
                    of: one, type: type, to: customers[one.customer], of: app,
                    password: keys.apps[app.id]?.sharedSecret ?? "")
                return PostedNotification(
                    appID: app.id, at: at, type: type, payload: String(decoding: try row.bytes(), as: UTF8.self))
            }
        }
        return posts.sorted { ($0.at, $0.appID) < ($1.at, $1.appID) }
    }
}

extension AppStoreNotification {
    /// Version 1 is tried three times more.
    fileprivate static let version1Hours: [Int64] = [0, 6, 24, 48]

    /// When the owner's server had it; nil while it has not.
    fileprivate func arrival(by now: Int64) -> Int64? {
        attempts(by: now, after: Self.version1Hours).last { $0.result == "SUCCESS" }?.at
    }

    /// Version 1's word for it; nil where it has none: it reports no expiry, no one-time purchase and no reversal.
    var version1Type: String? {
        switch (type, subtype) {
        case ("SUBSCRIBED", "RESUBSCRIBE"): "INTERACTIVE_RENEWAL"
        case ("SUBSCRIBED", _): "INITIAL_BUY"
        case ("DID_RENEW", "BILLING_RECOVERY"): "DID_RECOVER"
        case ("PRICE_INCREASE", "PENDING"): "PRICE_INCREASE_CONSENT"
        case ("REFUND", _): purchase.life == nil ? "REFUND" : "CANCEL"
        case ("DID_RENEW", _), ("DID_CHANGE_RENEWAL_PREF", _), ("DID_CHANGE_RENEWAL_STATUS", _),
            ("DID_FAIL_TO_RENEW", _), ("REVOKE", _), ("CONSUMPTION_REQUEST", _):
            type
        default: nil
        }
    }
}

/// A version 1 notification: unsigned, its numbers and truth values texts, with the customer's newest receipt. It does not say
/// which of the receipt's one-time purchases it is about.
enum Version1Row {
    /// How many rows of a receipt are sent at most.
    private static let newest = 100

    /// Everything in it is of the notification's own instant. The password is the only proof of where it comes from.
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
