// SPDX-License-Identifier: Apache-2.0

import Stores

/// `JWSTransactionDecodedPayload`: one transaction as the store signed it.
///
/// Dates are milliseconds since the Unix epoch.
struct TransactionPayload: JSONReadable {
    let transactionID: String?
    let originalTransactionID: String?
    let webOrderLineItemID: String?
    let bundleID: String?
    let productID: String?
    let subscriptionGroup: String?
    let purchaseDate: Int64?
    let expiresDate: Int64?
    let signedDate: Int64?
    let quantity: Int64?
    let type: String?
    let ownership: String?
    let isUpgraded: Bool?
    let offerType: Int64?
    let offerIdentifier: String?
    let offerDiscountType: String?
    let revocationDate: Int64?
    /// A number, and perhaps a word one day.
    let revocationReason: String?
    let revocationType: String?
    let revocationPercentage: Int64?
    let environment: String?
    let storefront: String?
    let reason: String?
    /// Thousandths of the currency's unit.
    let price: Int64?
    let currency: String?
    /// The subscription that this one took the place of, on the way into a bundle or out of it.
    let previousOriginalTransactionID: String?
    /// Why several transactions make up the period.
    let additionalReason: String?
    /// Nil for all but multiseat purchases.
    let multiSeat: MultiSeatInfo?
    /// Nil for all but what was sold through the Advanced Commerce API.
    let advancedCommerce: AdvancedCommerce?
    /// Nil for all but a month of a plan with a commitment.
    let commitment: CommitmentPlace?
    let billingPlanType: String?
    /// Nil where it says nothing of a bundle.
    let bundle: BundleReference?
    let unknownFields: [String]

    /// It is a month of a plan with a commitment.
    var isCommitted: Bool { commitment != nil || billingPlanType == "MONTHLY" }

    init(_ fields: Fields) {
        transactionID = fields.text("transactionId")
        originalTransactionID = fields.text("originalTransactionId")
        webOrderLineItemID = fields.text("webOrderLineItemId")
        bundleID = fields.text("bundleId")
        productID = fields.text("productId")
        subscriptionGroup = fields.text("subscriptionGroupIdentifier")
        purchaseDate = fields.integer("purchaseDate")
        expiresDate = fields.integer("expiresDate")
        signedDate = fields.integer("signedDate")
        quantity = fields.integer("quantity")
        type = fields.text("type")
        ownership = fields.text("inAppOwnershipType")
        isUpgraded = fields.flag("isUpgraded")
        offerType = fields.integer("offerType")
        offerIdentifier = fields.text("offerIdentifier")
        offerDiscountType = fields.text("offerDiscountType")
        revocationDate = fields.integer("revocationDate")
        revocationReason = fields.text("revocationReason")
        revocationType = fields.text("revocationType")
        revocationPercentage = fields.integer("revocationPercentage")
        environment = fields.text("environment")
        storefront = fields.text("storefront")
        reason = fields.text("transactionReason")
        price = fields.integer("price")
        currency = fields.text("currency")
        previousOriginalTransactionID = fields.text("previousOriginalTransactionId")
        additionalReason = fields.text("additionalTransactionReason")
        multiSeat = fields.value("multiSeatInfo")
        advancedCommerce = fields.value("advancedCommerceInfo")
        commitment = fields.value("commitmentInfo")
        billingPlanType = fields.text("billingPlanType")
        let unknown = fields.names(outside: PayloadFields.transaction.names)
        bundle = unknown.isEmpty ? nil : BundleReference(fields, among: unknown)
        unknownFields = bundle == nil ? unknown : unknown.filter { !BundleReference.isKnown($0) }
    }
}
