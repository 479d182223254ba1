// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The answer of `purchases.subscriptions.get`.
///
/// Its zeros mean something: absent is another thing than 0.
struct SubscriptionV1: JSONReadable {
    private static let names: Set<String> = [
        "kind", "startTimeMillis", "expiryTimeMillis", "autoResumeTimeMillis", "autoRenewing", "priceCurrencyCode",
        "priceAmountMicros", "introductoryPriceInfo", "countryCode", "developerPayload", "paymentState", "cancelReason",
        "userCancellationTimeMillis", "cancelSurveyResult", "orderId", "linkedPurchaseToken", "purchaseType",
        "priceChange", "profileName", "emailAddress", "givenName", "familyName", "profileId", "acknowledgementState",
        "externalAccountId", "promotionType", "promotionCode", "obfuscatedExternalAccountId",
        "obfuscatedExternalProfileId",
    ]

    let startedAt: Instant?
    let expiresAt: Instant?
    let resumesAt: Instant?
    let isAutoRenewing: Bool
    let price: PlayMoney?
    /// Bought with an introductory price, which need not be the present one.
    let introductoryPrice: PlayMoney?
    let hasIntroductoryPrice: Bool
    let country: String?
    let paymentState: Int64?
    let cancelReason: Int64?
    /// Only of a customer's.
    let cancelledAt: Instant?
    /// A price increase that the customer has not agreed to yet.
    let isPriceOutstanding: Bool
    let orderID: String?
    let linkedToken: Secret?
    let purchaseType: Int64?
    let hasCode: Bool
    let unknownFields: [String]

    init(_ fields: Fields) {
        startedAt = Instant(storeMilliseconds: fields.integer("startTimeMillis"))
        expiresAt = Instant(storeMilliseconds: fields.integer("expiryTimeMillis"))
        resumesAt = Instant(storeMilliseconds: fields.integer("autoResumeTimeMillis"))
        isAutoRenewing = fields.flag("autoRenewing") ?? false
        price = Self.money(fields.integer("priceAmountMicros"), fields.text("priceCurrencyCode"))
        let introduction = fields.object("introductoryPriceInfo")
        hasIntroductoryPrice = introduction != nil
        introductoryPrice = Self.money(
            introduction?.integer("introductoryPriceAmountMicros"), introduction?.text("introductoryPriceCurrencyCode"))
        country = fields.text("countryCode")
        paymentState = fields.integer("paymentState")
        cancelReason = fields.integer("cancelReason")
        cancelledAt =
            cancelReason == 0 ? Instant(storeMilliseconds: fields.integer("userCancellationTimeMillis")) : nil
        isPriceOutstanding = fields.object("priceChange")?.integer("state") == 0
        orderID = fields.text("orderId")
        linkedToken = fields.text("linkedPurchaseToken").map(Secret.init)
        purchaseType = fields.integer("purchaseType")
        hasCode = fields.has("promotionType") || fields.has("promotionCode")
        unknownFields = fields.names(outside: Self.names)
    }

    /// A price is worth nothing without its currency, and a negative one is none.
    private static func money(_ micros: Int64?, _ currency: String?) -> PlayMoney? {
        guard let micros, micros >= 0, let currency, Money.isCurrencyCode(currency) else { return nil }
        return PlayMoney(currency: currency, micros: micros)
    }
}
