// SPDX-License-Identifier: Apache-2.0

/// Renewal information as the App Store Server API signs it.
struct RenewalRow: Encodable {
    /// What happens at the end of a plan that is paid by the month.
    struct CommitmentInfo: Encodable {
        var commitmentAutoRenewProductId: String
        var commitmentAutoRenewStatus: Int
        var commitmentRenewalBillingPlanType: String
        var commitmentRenewalDate: Int64
        var commitmentRenewalPrice: Int64?
    }

    /// What the next renewal charges, seat by seat.
    struct MultiSeatInfo: Encodable {
        var renewalPriceTiers: [TransactionRow.PriceTier]
    }

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
    var priceIncreaseStatus: Int?
    var gracePeriodExpiresDate: Int64?
    var currency: String?
    var renewalPrice: Int64?
    var renewalBillingPlanType: String?
    var commitmentInfo: CommitmentInfo?
    var renewalQuantity: Int64?
    var multiSeatInfo: MultiSeatInfo?
    var advancedCommerceInfo: CommerceRenewalRow?

    init(_ standing: Standing, of life: SubscriptionLife, by customer: CustomerLife, at now: Int64) {
        let period = life.periods[standing.periodIndex]
        originalTransactionId = life.originalTransactionID
        productId = period.productID
        autoRenewProductId = standing.autoRenewProductID
        // Within a commitment the next month is paid whatever the customer chose for its end.
        let nextMonthIsOwed = period.commitment.map { !$0.isLast } ?? false
        autoRenewStatus = standing.autoRenew || nextMonthIsOwed ? 1 : 0
        isInBillingRetryPeriod = standing.status == .billingRetry || standing.status == .grace
        renewalDate = period.expiresAt / 1_000
        recentSubscriptionStartDate = (life.periods.first?.purchasedAt ?? period.purchasedAt) / 1_000
        signedDate = now / 1_000
        environment = customer.environment.storeName
        expirationIntent = standing.intent?.rawValue ?? (standing.status == .grace ? 2 : nil)
        priceIncreaseStatus = standing.priceConsent?.rawValue
        gracePeriodExpiresDate = standing.graceEndsAt.map { $0 / 1_000 }
        currency = autoRenewStatus == 1 ? customer.storefront.currency : nil
        renewalPrice = autoRenewStatus == 1 ? period.priceMilliunits : nil
        if let seats = life.seatsRunning(at: now), autoRenewStatus == 1 {
            renewalPrice = seats.averageMilliunits
            renewalQuantity = seats.count
            multiSeatInfo = MultiSeatInfo(renewalPriceTiers: seats.shownTiers)
        }
        if let commerce = period.commerce { note(commerce, held: period.itemsHeld(at: now), standing) }
        guard let commitment = period.commitment else { return }
        renewalBillingPlanType = "MONTHLY"
        commitmentInfo = CommitmentInfo(
            commitmentAutoRenewProductId: standing.autoRenewProductID,
            commitmentAutoRenewStatus: standing.autoRenew ? 1 : 0, commitmentRenewalBillingPlanType: "MONTHLY",
            commitmentRenewalDate: commitment.expiresAt / 1_000, commitmentRenewalPrice: commitment.priceMilliunits)
    }

    /// The items say what renews, and the row what they cost together.
    private mutating func note(_ commerce: Commerce, held: [Commerce.Item], _ standing: Standing) {
        (productId, autoRenewProductId) = (commerce.genericProductID, commerce.genericProductID)
        let prices = held.map(\.priceMilliunits)
        let isOn = autoRenewStatus == 1
        renewalPrice = isOn && !prices.contains(nil) ? prices.compactMap(\.self).reduce(0, +) : nil
        advancedCommerceInfo = CommerceRenewalRow(held, renewingInto: standing.autoRenewProductID, isOn: isOn)
    }
}

extension SubscriptionLife {
    /// All seats of the newest period, those bought within it too; nil where it has none.
    fileprivate func seatsRunning(at now: Int64) -> Seats? {
        let known = periods.filter { $0.createdAt <= now }
        guard let newest = known.last, var seats = newest.seats else { return nil }
        seats.tiers = known.filter { $0.expiresAt == newest.expiresAt }.flatMap { $0.seats?.tiers ?? [] }
        return seats
    }
}
