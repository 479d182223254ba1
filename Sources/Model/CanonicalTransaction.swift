// SPDX-License-Identifier: Apache-2.0

/// One canonical row: a period or a one-time sale as the store now tells it.
package struct CanonicalTransaction: Hashable, Sendable {
    package var key: SubscriptionKey
    package var transactionID: String
    package var productID: String
    package var lineageKey: SubscriptionKey
    package var appID: AppID
    package var store: StoreKind
    package var environment: PurchaseEnvironment
    package var originalTransactionID: String?
    package var periodKey: String
    package var subscriptionGroup: String?
    /// Google Play's base plan of the product; nil where the store has none or did not say.
    package var basePlanID: String?
    package var kind: TransactionKind
    package var isTrialConversion: Bool
    package var offerType: OfferType?
    package var offerID: String?
    package var ownership: Ownership
    package var quantity: Int64
    /// ISO 3166-1 alpha-2.
    package var country: String?
    package var purchasedAt: Instant
    package var periodStart: Instant
    /// Nil for a one-time sale.
    package var periodEnd: Instant?
    /// The customer's price, tax as charged; nil when unknown, 0 only when the store says 0.
    package var priceMicros: Int64?
    package var currency: String?
    package var priceSource: PriceSource
    /// The tax in the price, as the store gives it; nil when unknown.
    package var taxMicros: Int64?
    /// What the developer gets of the whole charge, as the store gives it; nil when unknown.
    package var proceedsMicros: Int64?
    /// What a whole period of the plan costs, where this one was sold as the rest of another after a change of plan.
    package var recurringPriceMicros: Int64?
    /// Micros that the store itself paid of the price (Play Points); nil where nothing.
    package var storeDiscountMicros: Int64?
    /// Seats of a multiseat purchase that are still held; nil for every other row.
    package var seats: Int64?
    package var refundedAt: Instant?
    package var refundKind: RefundKind?
    /// Nil: a refund like any other, or none.
    package var refundReason: RefundReason?
    /// Positive; the sum of the row's refunds; nil while the price is unknown.
    package var refundMicros: Int64?
    /// Nil while `refundMicros` is.
    package var refundSource: RefundSource?
    /// The parts of a refund that the store tells one by one, in their order; else empty.
    package var refundParts: [RefundPart]
    package var isUpgraded: Bool
    /// Whether the answer could tell so; where not, what another one told stays.
    package var tellsUpgrade = true
    /// When the store signed or sent this image: an older one never overwrites a newer one.
    package var sourceVersion: Instant
    /// Seen in another subscription's answer and judged without what we know of its own: it is booked only where
    /// neither its transaction id nor its period is known, and a row that is there stays as it is.
    package var isSeenIndirectly: Bool

    package init(
        key: SubscriptionKey, transactionID: String, productID: String, lineageKey: SubscriptionKey, appID: AppID,
        store: StoreKind, environment: PurchaseEnvironment, originalTransactionID: String?, periodKey: String,
        subscriptionGroup: String?, kind: TransactionKind, isTrialConversion: Bool, offerType: OfferType?,
        offerID: String?, ownership: Ownership, quantity: Int64, country: String?, purchasedAt: Instant,
        periodStart: Instant, periodEnd: Instant?, priceMicros: Int64?, currency: String?, priceSource: PriceSource,
        taxMicros: Int64? = nil, proceedsMicros: Int64? = nil, recurringPriceMicros: Int64? = nil, seats: Int64? = nil,
        refundedAt: Instant?, refundKind: RefundKind?, refundMicros: Int64?, refundSource: RefundSource? = nil,
        refundParts: [RefundPart] = [],
        isUpgraded: Bool, sourceVersion: Instant, isSeenIndirectly: Bool = false, basePlanID: String? = nil,
        storeDiscountMicros: Int64? = nil, refundReason: RefundReason? = nil
    ) {
        self.key = key
        self.transactionID = transactionID
        self.productID = productID
        self.lineageKey = lineageKey
        self.appID = appID
        self.store = store
        self.environment = environment
        self.originalTransactionID = originalTransactionID
        self.periodKey = periodKey
        self.subscriptionGroup = subscriptionGroup
        self.kind = kind
        self.isTrialConversion = isTrialConversion
        self.offerType = offerType
        self.offerID = offerID
        self.ownership = ownership
        self.quantity = quantity
        self.country = country
        self.purchasedAt = purchasedAt
        self.periodStart = periodStart
        self.periodEnd = periodEnd
        self.priceMicros = priceMicros
        self.currency = currency
        self.priceSource = priceSource
        self.taxMicros = taxMicros
        self.proceedsMicros = proceedsMicros
        self.recurringPriceMicros = recurringPriceMicros
        self.seats = seats
        self.refundedAt = refundedAt
        self.refundKind = refundKind
        self.refundMicros = refundMicros
        self.refundSource = refundSource
        self.refundParts = refundParts
        self.isUpgraded = isUpgraded
        self.sourceVersion = sourceVersion
        self.isSeenIndirectly = isSeenIndirectly
        self.basePlanID = basePlanID
        self.storeDiscountMicros = storeDiscountMicros
        self.refundReason = refundReason
    }
}
