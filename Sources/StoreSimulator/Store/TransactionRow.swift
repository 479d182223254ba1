// SPDX-License-Identifier: Apache-2.0

/// A transaction as the App Store Server API signs it, field by field.
struct TransactionRow: Encodable {
    /// The part of a plan that is paid by the month.
    struct CommitmentInfo: Encodable {
        var billingPeriodNumber: Int64
        var totalBillingPeriods = Commitment.months
        var commitmentExpiresDate: Int64
        var commitmentPrice: Int64?
    }

    var transactionId: String
    var originalTransactionId: String
    var webOrderLineItemId: String?
    var bundleId: String
    var productId: String
    var subscriptionGroupIdentifier: String?
    var purchaseDate: Int64
    var originalPurchaseDate: Int64
    var expiresDate: Int64?
    var quantity: Int64 = 1
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
    var billingPlanType: String?
    var commitmentInfo: CommitmentInfo?

    /// What the store shows of a period at its clock.
    init(_ period: Period, of life: SubscriptionLife, by customer: CustomerLife, in app: SimulatedApp, at now: Int64) {
        transactionId = period.transactionID(at: now)
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
        isUpgraded = period.upgradedAt.flatMap { $0 <= now ? true : nil }
        if let commitment = period.commitment {
            billingPlanType = "MONTHLY"
            commitmentInfo = CommitmentInfo(
                billingPeriodNumber: commitment.number, commitmentExpiresDate: commitment.expiresAt / 1_000,
                commitmentPrice: commitment.priceMilliunits)
        }
        note(price: period.priceMilliunits, customer, period.offer, period.refund(at: now))
    }

    /// What the store shows of a sale at its clock: no line item, no group and no end.
    init(_ sale: OneTimeSale, by customer: CustomerLife, in app: SimulatedApp, at now: Int64) {
        transactionId = sale.transactionID
        originalTransactionId = sale.transactionID
        bundleId = app.bundleID
        productId = sale.productID
        purchaseDate = sale.purchasedAt / 1_000
        originalPurchaseDate = sale.purchasedAt / 1_000
        quantity = sale.quantity
        type = sale.kind.rawValue
        inAppOwnershipType = Ownership.purchased.storeName
        signedDate = now / 1_000
        environment = customer.environment.storeName
        transactionReason = Period.Reason.purchase.rawValue
        storefront = customer.storefront.rawValue
        storefrontId = customer.storefront.number
        note(price: sale.priceMilliunits, customer, sale.offer, sale.refund(at: now))
    }

    private mutating func note(price: Int64?, _ customer: CustomerLife, _ offer: Offer?, _ refund: Refund?) {
        self.price = price
        currency = price.map { _ in customer.storefront.currency }
        offerType = offer?.kind.rawValue
        offerIdentifier = offer?.identifier
        offerDiscountType = offer?.discount.rawValue
        offerPeriod = offer?.discount == .oneTime ? nil : offer?.term.iso8601
        guard let refund else { return }
        revocationDate = refund.at / 1_000
        revocationReason = refund.reason
        revocationType = refund.storeName
        if case .prorated(let percentage) = refund.extent { revocationPercentage = percentage }
        if refund.extent == .full { revocationPercentage = 100_000 }
    }
}
