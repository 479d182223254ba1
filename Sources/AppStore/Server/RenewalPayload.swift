// SPDX-License-Identifier: Apache-2.0

import Stores

/// `JWSRenewalInfoDecodedPayload`: what the store means to do at the end of the current period.
struct RenewalPayload: JSONReadable {
    /// The part of a monthly plan with a commitment that concerns the end of the commitment.
    struct Commitment: JSONReadable {
        let autoRenewStatus: Int64?
        /// The end of the last month.
        let renewalDate: Int64?

        init(_ fields: Fields) {
            autoRenewStatus = fields.integer("commitmentAutoRenewStatus")
            renewalDate = fields.integer("commitmentRenewalDate")
        }
    }

    /// The seats that renew.
    struct Seats: JSONReadable {
        private let tiers: [MultiSeatInfo.Tier?]

        init(_ fields: Fields) { tiers = fields.list("renewalPriceTiers") ?? [] }

        /// What all of them cost, in micros; nil where a tier cannot be reckoned with.
        var totalMicros: Int64? { MultiSeatInfo.totalMicros(of: tiers) }
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
    /// A number, and perhaps a word one day.
    let expirationIntent: String?
    let gracePeriodExpiresDate: Int64?
    let renewalDate: Int64?
    /// Thousandths of the currency's unit; with seats the average of one.
    let price: Int64?
    let currency: String?
    let signedDate: Int64?
    let environment: String?
    let commitment: Commitment?
    /// Nil for all but multiseat purchases.
    let seats: Seats?
    /// It says something of a bundle.
    let namesBundle: Bool
    /// The items that renew; empty where it was not sold by items.
    let skus: [String]
    let unknownFields: [String]

    init(_ fields: Fields) {
        originalTransactionID = fields.text("originalTransactionId")
        productID = fields.text("productId")
        autoRenewProductID = fields.text("autoRenewProductId")
        autoRenewStatus = fields.integer("autoRenewStatus")
        expirationIntent = fields.text("expirationIntent")
        gracePeriodExpiresDate = fields.integer("gracePeriodExpiresDate")
        renewalDate = fields.integer("renewalDate")
        price = fields.integer("renewalPrice")
        currency = fields.text("currency")
        signedDate = fields.integer("signedDate")
        environment = fields.text("environment")
        commitment = fields.value("commitmentInfo")
        seats = fields.value("multiSeatInfo")
        let items: Items? = fields.value("advancedCommerceInfo")
        skus = items?.skus ?? []
        let unknown = fields.names(outside: PayloadFields.renewal.names)
        namesBundle = unknown.contains(where: BundleReference.isKnown)
        unknownFields = namesBundle ? unknown.filter { !BundleReference.isKnown($0) } : unknown
    }
}
