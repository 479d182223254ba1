// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `responseBodyV1`: members are numbers, texts or booleans as it pleases the store, arrays or single objects.
struct NotificationV1: JSONReadable {
    /// An original transaction id somewhere in the notification, with what is said of it there.
    struct Mention {
        let originalTransactionID: String?
        let productID: String?
        let isOfSubscription: Bool
        /// It is in a row of its own, which is surer than what the notification says at its top.
        let isRow: Bool
        /// It was given back.
        var isCancelled = false
    }

    /// A row of a receipt.
    private struct Row: JSONReadable {
        let mention: Mention

        init(_ fields: Fields) {
            mention = Mention(
                originalTransactionID: fields.text("original_transaction_id"), productID: fields.text("product_id"),
                isOfSubscription: ["expires_date", "expires_date_ms", "expires_date_pst"].contains(where: fields.has),
                isRow: true,
                isCancelled: ["cancellation_date", "cancellation_date_ms"].contains(where: fields.has))
        }
    }

    /// What is to be renewed: only subscriptions are.
    private struct Renewal: JSONReadable {
        let mention: Mention

        init(_ fields: Fields) {
            mention = Mention(
                originalTransactionID: fields.text("original_transaction_id"), productID: fields.text("product_id"),
                isOfSubscription: true, isRow: true)
        }
    }

    let type: String?
    let password: Secret?
    let bundleID: String?
    let environment: String?
    /// The newest receipt of the customer.
    let receipt: Secret?
    /// In the order in which they are likely to be what it is about.
    let mentions: [Mention]

    init(_ fields: Fields) {
        let unified = fields.object("unified_receipt")
        type = fields.text("notification_type")
        password = fields.text("password").map(Secret.init)
        bundleID = fields.text("bid")
        environment = fields.text("environment") ?? unified?.text("environment")
        receipt = (unified?.text("latest_receipt") ?? fields.text("latest_receipt"))?.asReceipt
        mentions = Self.mentions(fields, unified)
    }

    /// Before March 2021 the rows stood at the top.
    private static func mentions(_ fields: Fields, _ unified: Fields?) -> [Mention] {
        let renewals: [Renewal?] = unified?.list("pending_renewal_info") ?? []
        let rows: [Row?] =
            (unified?.list("latest_receipt_info") ?? []) + (fields.list("latest_receipt_info") ?? [])
            + (fields.list("latest_expired_receipt_info") ?? [])
        let top = Mention(
            originalTransactionID: fields.text("original_transaction_id"),
            productID: fields.text("product_id") ?? fields.text("auto_renew_product_id"),
            isOfSubscription: fields.has("auto_renew_product_id"), isRow: false)
        return [top] + rows.compactMap { $0?.mention } + renewals.compactMap { $0?.mention }
    }
}

extension String {
    /// Base64 as the store takes it; the documents' samples are cut short and are none.
    fileprivate var asReceipt: Secret? {
        let isBase64 = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                true
            default: false
            }
        }
        return isBase64 && !isEmpty ? Secret(self) : nil
    }
}
