// SPDX-License-Identifier: Apache-2.0

/// What becomes of every field that the store documents in its signed rows (App Store Server API 1.23): kept, and as
/// what, or dropped, and why.
///
/// A field that is not here is unknown and counted. What is dropped from the rows still is in the archived answer.
struct PayloadFields: Sendable {
    enum Fate: Sendable {
        /// It changes what is booked, what is believed or when is asked again.
        case used(as: String)
        case dropped(because: String)
    }

    let fates: [String: Fate]
    let names: Set<String>

    var used: Set<String> {
        Set(fates.filter { if case .used = $0.value { true } else { false } }.keys)
    }

    private init(used: [String: String], dropped: [String: String]) {
        fates = used.mapValues { .used(as: $0) }.merging(dropped.mapValues { .dropped(because: $0) }) { first, _ in
            first
        }
        names = Set(fates.keys)
    }

    /// `JWSTransactionDecodedPayload`: 36 fields.
    ///
    /// FIELDS.txt states what becomes of the members of its objects.
    static let transaction = PayloadFields(
        used: [
            "originalTransactionId": "the subscription", "transactionId": "the transaction",
            "webOrderLineItemId": "the period's key, the same after a restore",
            "bundleId": "belief: the row is about our app", "environment": "belief: the row is of what was asked",
            "productId": "the product", "subscriptionGroupIdentifier": "the subscription group",
            "purchaseDate": "the purchase and the period's start", "expiresDate": "the period's end",
            "quantity": "the quantity", "type": "subscription or one-time sale", "inAppOwnershipType": "the ownership",
            "signedDate": "the source version", "revocationDate": "the refund's instant",
            "revocationType": "the kind of refund", "revocationPercentage": "the share given back",
            "isUpgraded": "a superseded row", "offerType": "the offer's type", "offerIdentifier": "the offer's id",
            "offerDiscountType": "a free period or a paid one", "storefront": "the country",
            "transactionReason": "first period or renewal, where the line does not tell", "currency": "the currency",
            "price": "the price", "revocationReason": "a customer's refund, a bundle's switch, or neither",
            "advancedCommerceInfo": "its items: their own names, prices and refunds; the tax in the price",
            "multiSeatInfo": "the price of all seats, and what was given back of them",
            "additionalTransactionReason": "a row beside another one of the same period",
            "previousOriginalTransactionId": "the subscription that this one took the place of",
            "commitmentInfo": "which of its payments it is: whether more are owed",
            "billingPlanType": "whether it is a month of a commitment",
        ],
        dropped: [
            "appTransactionId": "names the customer's copy of the app; the backend's account id does that",
            "originalPurchaseDate": "the first row's purchase date", "storefrontId": "the storefront's other name",
            "appAccountToken": "the backend registers its own account id, and that one is believed",
            "offerPeriod": "the row's own dates say how long it lasts",
        ])

    /// `JWSRenewalInfoDecodedPayload`: 26 fields.
    static let renewal = PayloadFields(
        used: [
            "originalTransactionId": "belief: it belongs to the transaction beside it",
            "environment": "belief: the row is of what was asked", "signedDate": "the source version",
            "autoRenewStatus": "renews by itself", "autoRenewProductId": "the product it renews to",
            "expirationIntent": "the end's reason", "gracePeriodExpiresDate": "the end of the grace",
            "commitmentInfo": "the commitment's own end of renewing", "renewalPrice": "what the renewal will cost",
            "currency": "the currency of that", "multiSeatInfo": "what the renewal of all seats will cost",
            "advancedCommerceInfo": "the items that renew",
            "renewalDate": "beyond the expiry while active: the store extended the period",
        ],
        dropped: [
            "productId": "the transaction beside it names it; only a notification without one is read by it",
            "isInBillingRetryPeriod": "the status says it",
            "priceIncreaseStatus": "an expiry for that reason has its own intent",
            "offerType": "of a period not bought yet", "offerIdentifier": "of a period not bought yet",
            "offerDiscountType": "of a period not bought yet", "offerPeriod": "of a period not bought yet",
            "renewalBillingPlanType": "of a period not bought yet",
            "recentSubscriptionStartDate": "not for counting paid days, the store says; our own rows are",
            "eligibleWinBackOfferIds": "what could be offered; nothing was bought",
            "appAccountToken": "as in the transaction", "appTransactionId": "as in the transaction",
            "renewalQuantity": "the tiers beside it say how many seats renew",
        ])
}
