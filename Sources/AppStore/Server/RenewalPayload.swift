// SPDX-License-Identifier: Apache-2.0

import Stores

/// `JWSRenewalInfoDecodedPayload`: what the store means to do at the end of the current period.
struct RenewalPayload: JSONReadable {
    /// The part of a monthly plan with a commitment that concerns the end of the commitment.
    struct Commitment: JSONReadable {
        let autoRenewStatus: Int64?

        init(_ fields: Fields) {
            autoRenewStatus = fields.integer("commitmentAutoRenewStatus")
        }
    }

    /// What the Advanced Commerce API renews.
    private struct Items: JSONReadable {
        struct Item: JSONReadable {
            let sku: String?

            init(_ fields: Fields) { sku = fields.text("SKU") }
        }

        let skus: [String]

        init(_ fields: Fields) {
            let items: [Item?]? = fields.list("items")
            skus = (items ?? []).compactMap { $0?.sku }
        }
    }

    let originalTransactionID: String?
    /// Read for notifications that carry no transaction.
    let productID: String?
    let autoRenewProductID: String?
    let autoRenewStatus: Int64?
    let expirationIntent: Int64?
    let gracePeriodExpiresDate: Int64?
    let renewalDate: Int64?
    let signedDate: Int64?
    let environment: String?
    let commitment: Commitment?
    /// The items that renew; empty where it was not sold by items.
    let skus: [String]
    let unknownFields: [String]

    init(_ fields: Fields) {
        originalTransactionID = fields.text("originalTransactionId")
        productID = fields.text("productId")
        autoRenewProductID = fields.text("autoRenewProductId")
        autoRenewStatus = fields.integer("autoRenewStatus")
        expirationIntent = fields.integer("expirationIntent")
        gracePeriodExpiresDate = fields.integer("gracePeriodExpiresDate")
        renewalDate = fields.integer("renewalDate")
        signedDate = fields.integer("signedDate")
        environment = fields.text("environment")
        commitment = fields.value("commitmentInfo")
        let items: Items? = fields.value("advancedCommerceInfo")
        skus = items?.skus ?? []
        unknownFields = fields.names(outside: PayloadFields.renewal.names)
    }
}
