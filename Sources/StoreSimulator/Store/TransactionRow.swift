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

    /// What a group bought, seat by seat.
    struct MultiSeatInfo: Encodable {
        var invitationManagement: String
        var priceTiers: [PriceTier]
        var revokedSeatQuantity: Int64?
    }

    /// So many seats at one price.
    struct PriceTier: Encodable {
        var tierPrice: Int64
        var tierQuantity: Int64
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
    var multiSeatInfo: MultiSeatInfo?
    var additionalTransactionReason: String?
    var previousOriginalTransactionId: String?
    var bundleProductId: String?
    var advancedCommerceInfo: CommerceRow?

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
        previousOriginalTransactionId = life.bundle?.replaces
        bundleProductId = life.bundle?.productID
        note(price: period.priceMilliunits, customer, period.offer, period.refund(at: now))
        if let seats = period.seats { note(seats, of: life, at: now) }
        if let commerce = period.commerce { note(commerce, of: period, at: now) }
    }

    /// The item says what was sold and given back, and the row does not.
    private mutating func note(_ commerce: Commerce, of period: Period, at now: Int64) {
        productId = commerce.genericProductID
        advancedCommerceInfo = CommerceRow(period, at: now)
        (revocationDate, revocationReason, revocationType, revocationPercentage) = (nil, nil, nil, nil)
    }

    /// The price becomes the average of a seat; only the purchaser's row says what was given back.
    private mutating func note(_ seats: Seats, of life: SubscriptionLife, at now: Int64) {
        quantity = seats.count
        price = seats.averageMilliunits
        multiSeatInfo = MultiSeatInfo(
            invitationManagement: seats.invitations.rawValue, priceTiers: seats.shownTiers,
            revokedSeatQuantity: life.ownership == .purchased ? seats.givenBack(at: now)?.value : nil)
        additionalTransactionReason = seats.isOneOfSeveral(at: now) ? "SEAT_ADDITION" : nil
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

extension Seats {
    /// As the store spells them.
    var shownTiers: [TransactionRow.PriceTier] {
        tiers.map { TransactionRow.PriceTier(tierPrice: $0.priceMilliunits, tierQuantity: $0.quantity) }
    }
}
