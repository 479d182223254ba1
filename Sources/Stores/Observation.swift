// SPDX-License-Identifier: Apache-2.0

package import Model

/// What an answer says of one subscription, in words that every store shares.
package struct Observation: Sendable {
    package let storeKey: Secret
    package let environment: PurchaseEnvironment
    /// Nil where the answer shows the subscription's rows but was not about it: its state waits for its own check.
    package let status: ObservedStatus?
    /// In any order.
    package let periods: [ObservedPeriod]
    package let historyCursor: String?
    /// The history goes on behind the cursor: it is read on the next night.
    package let hasMoreHistory: Bool
    /// The purchase that this one continues, where the store links them.
    package let linkedTo: Secret?
    /// The products of a purchase that holds several; empty where it holds one, nil where the answer does not say.
    package let items: [SubscriptionItem]?
    /// The id is no subscription's own but that of a later transaction of the one it is linked to: it stood for that one,
    /// and is done with.
    package let isStandIn: Bool
    /// What the store was asked with, where the sale has another key; else nil.
    package let askedWith: Secret?

    package init(
        storeKey: Secret, environment: PurchaseEnvironment, status: ObservedStatus?, periods: [ObservedPeriod],
        historyCursor: String? = nil, hasMoreHistory: Bool = false, linkedTo: Secret? = nil,
        items: [SubscriptionItem]? = nil, isStandIn: Bool = false, askedWith: Secret? = nil
    ) {
        self.storeKey = storeKey
        self.environment = environment
        self.status = status
        self.periods = periods
        self.historyCursor = historyCursor
        self.hasMoreHistory = hasMoreHistory
        self.linkedTo = linkedTo
        self.items = items
        self.isStandIn = isStandIn
        self.askedWith = askedWith
    }
}

/// Where a subscription stands, as the store says.
package struct ObservedStatus: Hashable, Sendable {
    /// Nil: a value the store invented; the last state is kept. `active` covers the trial: Transform tells them apart.
    package var state: SubscriptionState?
    package var raw: String?
    package var productID: String?
    package var autoRenew: Bool?
    package var autoRenewProductID: String?
    package var expiresAt: Instant?
    package var graceExpiresAt: Instant?
    package var endReason: EndReason?
    package var revokedAt: Instant?
    package var resumesAt: Instant?
    /// When the customer switched the renewal off, where the store dates it; nil where it does not, or nobody did.
    package var cancelledAt: Instant?
    /// When the store signed or sent this.
    package var sourceVersion: Instant

    package init(
        state: SubscriptionState?, raw: String? = nil, productID: String? = nil, autoRenew: Bool? = nil,
        autoRenewProductID: String? = nil, expiresAt: Instant? = nil, graceExpiresAt: Instant? = nil,
        endReason: EndReason? = nil, revokedAt: Instant? = nil, resumesAt: Instant? = nil,
        cancelledAt: Instant? = nil, sourceVersion: Instant
    ) {
        self.state = state
        self.raw = raw
        self.productID = productID
        self.autoRenew = autoRenew
        self.autoRenewProductID = autoRenewProductID
        self.expiresAt = expiresAt
        self.graceExpiresAt = graceExpiresAt
        self.endReason = endReason
        self.revokedAt = revokedAt
        self.resumesAt = resumesAt
        self.cancelledAt = cancelledAt
        self.sourceVersion = sourceVersion
    }
}

/// One settled period or one-time sale, as the store tells it.
package struct ObservedPeriod: Hashable, Sendable {
    /// What the store says of the place of a period in its line.
    package enum Hint: Sendable { case purchase, renewal }
    /// What was refunded, as the store says.
    package struct Refund: Hashable, Sendable {
        package let at: Instant
        package let kind: RefundKind
        /// Thousandths of a percent (100,000 = all), where the store gives a share.
        package let thousandthsOfPercent: Int64?
        /// Micros, where the store gives an amount: the sum, where it was given back in parts.
        package let micros: Int64?
        /// In the order they were given back, where the store tells its parts one by one.
        package let parts: [RefundPart]
        /// Where `micros` come from.
        package let source: RefundSource
        /// The sum grows over time and the store dates none of its steps: what is more than we knew of was given back `at`.
        package let isGrowing: Bool
        /// Money was given back and nothing was taken away: the period goes on.
        package let leavesPeriod: Bool
        /// Nil: a refund like any other.
        package let reason: RefundReason?

        package init(
            at: Instant, kind: RefundKind, thousandthsOfPercent: Int64? = nil, micros: Int64? = nil,
            parts: [RefundPart] = [], source: RefundSource = .storeAmount, isGrowing: Bool = false,
            leavesPeriod: Bool = false, reason: RefundReason? = nil
        ) {
            self.at = at
            self.kind = kind
            self.thousandthsOfPercent = thousandthsOfPercent
            self.micros = micros
            self.parts = parts
            self.source = source
            self.isGrowing = isGrowing
            self.leavesPeriod = leavesPeriod
            self.reason = reason
        }
    }

    package var transactionID: String
    package var originalTransactionID: String
    package var periodKey: String
    package var productID: String
    package var subscriptionGroup: String?
    /// Google Play's base plan of the product; nil where the store has none or does not say.
    package var basePlanID: String?
    package var isAutoRenewable: Bool
    package var purchasedAt: Instant
    package var start: Instant
    package var end: Instant?
    package var isFreeOffer: Bool
    package var offerType: OfferType?
    package var offerID: String?
    package var ownership: Ownership
    package var quantity: Int64
    /// Seats of a multiseat purchase that are still held; nil for every other row.
    package var seats: Int64?
    /// One of several transactions of a running period: it stands beside the others, and replaces none of them.
    package var isAdditional: Bool
    package var country: String?
    package var priceMicros: Int64?
    package var currency: String?
    package var priceSource: PriceSource
    /// Micros, in the price; nil where the store does not say.
    package var taxMicros: Int64?
    /// Micros of the buyer's currency that the developer gets for the whole charge; nil where the store does not say.
    package var proceedsMicros: Int64?
    /// Micros: what a whole period of the plan costs, where this one was sold as the rest of another after a change of
    /// plan; else nil.
    package var recurringPriceMicros: Int64?
    /// Micros that the store itself paid of the price (Play Points); nil where nothing.
    package var storeDiscountMicros: Int64?
    package var refund: Refund?
    package var isUpgraded: Bool
    /// Whether the answer could tell so; where not, what another one told stays.
    package var tellsUpgrade = true
    /// Paid in advance and topped up, never renewed by itself.
    package var isPrepaid: Bool
    package var hint: Hint?
    package var sourceVersion: Instant

    package init(
        transactionID: String, originalTransactionID: String, periodKey: String, productID: String,
        subscriptionGroup: String? = nil, isAutoRenewable: Bool = true, purchasedAt: Instant, start: Instant,
        end: Instant?, isFreeOffer: Bool = false, offerType: OfferType? = nil, offerID: String? = nil,
        ownership: Ownership = .purchased, quantity: Int64 = 1, seats: Int64? = nil, isAdditional: Bool = false,
        country: String? = nil, priceMicros: Int64? = nil, currency: String? = nil, priceSource: PriceSource,
        taxMicros: Int64? = nil, proceedsMicros: Int64? = nil,
        recurringPriceMicros: Int64? = nil, refund: Refund? = nil, isUpgraded: Bool = false, isPrepaid: Bool = false,
        hint: Hint? = nil, sourceVersion: Instant, basePlanID: String? = nil, storeDiscountMicros: Int64? = nil
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.periodKey = periodKey
        self.productID = productID
        self.subscriptionGroup = subscriptionGroup
        self.isAutoRenewable = isAutoRenewable
        self.purchasedAt = purchasedAt
        self.start = start
        self.end = end
        self.isFreeOffer = isFreeOffer
        self.offerType = offerType
        self.offerID = offerID
        self.ownership = ownership
        self.quantity = quantity
        self.seats = seats
        self.isAdditional = isAdditional
        self.country = country
        self.priceMicros = priceMicros
        self.currency = currency
        self.priceSource = priceSource
        self.taxMicros = taxMicros
        self.proceedsMicros = proceedsMicros
        self.recurringPriceMicros = recurringPriceMicros
        self.refund = refund
        self.isUpgraded = isUpgraded
        self.isPrepaid = isPrepaid
        self.hint = hint
        self.sourceVersion = sourceVersion
        self.basePlanID = basePlanID
        self.storeDiscountMicros = storeDiscountMicros
    }
}
