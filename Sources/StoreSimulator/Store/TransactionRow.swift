// SPDX-License-Identifier: Apache-2.0

/// A transaction as the App Store Server API signs it, field by field.
struct TransactionRow: Encodable {
    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String
    var bundleId: String
    var productId: String
    var subscriptionGroupIdentifier: String
    var purchaseDate: Int64
    var originalPurchaseDate: Int64
    var expiresDate: Int64
    var quantity = 1
    var type = "Auto-Renewable Subscription"
    var inAppOwnershipType: String
    var signedDate: Int64
    var environment: String
    var transactionReason: String
    var storefront: String
    var storefrontId: String
    var price: Int64?
    var currency: String?
    var offerType: Int?
    var offerIdentifier: String?
    var offerDiscountType: String?
    var offerPeriod: String?
    var revocationDate: Int64?
    var revocationReason: Int?
    var revocationType: String?
    var revocationPercentage: Int64?
    var isUpgraded: Bool?

    /// What the store shows of a period at its clock.
    init(_ period: Period, of life: SubscriptionLife, by customer: CustomerLife, in app: SimulatedApp, at now: Int64) {
        transactionId = period.transactionID
        originalTransactionId = life.originalTransactionID
        webOrderLineItemId = period.lineItemID
        bundleId = app.bundleID
        productId = period.productID
        subscriptionGroupIdentifier = life.groupID
        purchaseDate = period.purchasedAt / 1_000
        originalPurchaseDate = (life.periods.first?.purchasedAt ?? period.purchasedAt) / 1_000
        expiresDate = period.expiresAt / 1_000
        inAppOwnershipType = life.ownership.storeName
        signedDate = now / 1_000
        environment = customer.environment.storeName
        transactionReason = period.reason.rawValue
        storefront = customer.storefront.rawValue
        storefrontId = customer.storefront.number
        price = period.priceMilliunits
        currency = period.priceMilliunits.map { _ in customer.storefront.currency }
        offerType = period.offer?.kind.rawValue
        offerIdentifier = period.offer?.identifier
        offerDiscountType = period.offer?.discount.rawValue
        offerPeriod = period.offer?.term.iso8601
        isUpgraded = period.upgradedAt.flatMap { $0 <= now ? true : nil }
        guard let refund = period.refund, refund.at <= now else { return }
        revocationDate = refund.at / 1_000
        revocationReason = refund.reason
        revocationType = refund.storeName
        if case .prorated(let percentage) = refund.extent { revocationPercentage = percentage }
        if refund.extent == .full { revocationPercentage = 100_000 }
    }
}

/// Renewal information as the App Store Server API signs it.
struct RenewalRow: Encodable {
    var originalTransactionId: String
    var productId: String
    var autoRenewProductId: String
    var autoRenewStatus: Int
    var isInBillingRetryPeriod: Bool
    var renewalDate: Int64
    var recentSubscriptionStartDate: Int64
    var signedDate: Int64
    var environment: String
    var expirationIntent: Int?
    var gracePeriodExpiresDate: Int64?
    var currency: String?
    var renewalPrice: Int64?

    init(_ standing: Standing, of life: SubscriptionLife, by customer: CustomerLife, at now: Int64) {
        let period = life.periods[standing.periodIndex]
        originalTransactionId = life.originalTransactionID
        productId = period.productID
        autoRenewProductId = standing.autoRenewProductID
        autoRenewStatus = standing.autoRenew ? 1 : 0
        isInBillingRetryPeriod = standing.status == .billingRetry || standing.status == .grace
        renewalDate = period.expiresAt / 1_000
        recentSubscriptionStartDate = (life.periods.first?.purchasedAt ?? period.purchasedAt) / 1_000
        signedDate = now / 1_000
        environment = customer.environment.storeName
        expirationIntent = standing.intent?.rawValue ?? (standing.status == .grace ? 2 : nil)
        gracePeriodExpiresDate = standing.graceEndsAt.map { $0 / 1_000 }
        currency = standing.autoRenew ? customer.storefront.currency : nil
        renewalPrice = standing.autoRenew ? period.priceMilliunits : nil
    }
}
