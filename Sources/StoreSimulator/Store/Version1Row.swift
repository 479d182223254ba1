// SPDX-License-Identifier: Apache-2.0

/// A version 1 notification: unsigned, its numbers and truth values texts, with the customer's newest receipt. It does not say
/// which of the receipt's one-time purchases it is about.
struct Version1Row: Encodable {
    struct Unified: Encodable {
        var status = 0
        var environment: String
        var latest_receipt: String
        var latest_receipt_info: [[String: String]]
        var pending_renewal_info: [[String: String]]?
    }

    /// How many rows of a receipt are sent at most.
    private static let newest = 100

    var notification_type: String
    /// The only proof of where it comes from.
    var password: String
    /// Spelt otherwise than in the receipt.
    var environment: String
    var bid: String
    var bvrs = "1"
    var auto_renew_product_id: String?
    var auto_renew_status: String?
    var auto_renew_status_change_date: String?
    var auto_renew_status_change_date_ms: String?
    var auto_renew_status_change_date_pst: String?
    var original_transaction_id: String?
    var expiration_intent: String?
    var web_order_line_item_id: String?
    var cancellation_date: String?
    var cancellation_date_ms: String?
    var cancellation_date_pst: String?
    var unified_receipt: Unified

    /// Everything in it is of the notice's own instant.
    init(_ notice: Notice, type: String, to customer: CustomerLife, of app: SimulatedApp, password: String) {
        notification_type = type
        self.password = password
        environment = customer.environment == .production ? "PROD" : customer.environment.storeName
        bid = app.bundleID
        let renewals = customer.subscriptions.compactMap { life in
            life.standing(at: notice.at).map { ReceiptAnswer.renewal($0, of: life) }
        }
        unified_receipt = Unified(
            environment: customer.environment.storeName,
            latest_receipt: StoreFront.receipt(of: customer, at: notice.at),
            latest_receipt_info: Array(customer.receiptRows(at: notice.at).prefix(Self.newest)),
            pending_renewal_info: renewals.isEmpty ? nil : renewals)
        if case .subscription(let life, let index) = notice.subject { note(life, period: index, at: notice.at) }
    }

    /// Where the subscription stands that it is about.
    private mutating func note(_ life: SubscriptionLife, period index: Int, at now: Int64) {
        guard let standing = life.standing(at: now) else { return }
        original_transaction_id = life.originalTransactionID
        auto_renew_product_id = standing.autoRenewProductID
        auto_renew_status = standing.autoRenew ? "true" : "false"
        expiration_intent = standing.intent.map { String($0.rawValue) }
        if notification_type == "DID_CHANGE_RENEWAL_STATUS" {
            let dates = ReceiptAnswer.dates("on", now)
            (auto_renew_status_change_date, auto_renew_status_change_date_ms, auto_renew_status_change_date_pst) =
                (dates["on"], dates["on_ms"], dates["on_pst"])
        }
        guard notification_type == "CANCEL", let refund = life.periods[index].refund(at: now) else { return }
        let dates = ReceiptAnswer.dates("on", refund.at)
        (cancellation_date, cancellation_date_ms, cancellation_date_pst) = (
            dates["on"], dates["on_ms"], dates["on_pst"]
        )
        web_order_line_item_id = life.periods[index].lineItemID
    }
}

extension CustomerLife {
    /// The rows of the receipt at an instant, the newest purchase first.
    fileprivate func receiptRows(at now: Int64) -> [[String: String]] {
        let rows = purchases(at: now).map { purchase -> (at: Int64, row: [String: String]) in
            switch purchase {
            case .period(let life, let index):
                (life.periods[index].purchasedAt, ReceiptAnswer.row(life.periods[index], of: life, at: now))
            case .sale(let sale): (sale.purchasedAt, ReceiptAnswer.row(sale, at: now))
            }
        }
        return rows.sorted { $0.at > $1.at }.map(\.row)
    }
}
