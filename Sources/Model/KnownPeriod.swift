// SPDX-License-Identifier: Apache-2.0

/// What we already hold of one period of a subscription: enough to place a new one in its line.
package struct KnownPeriod: Hashable, Sendable {
    package let transactionID: String
    package let productID: String
    package let periodKey: String
    package let kind: TransactionKind
    package let isTrialConversion: Bool
    package let purchasedAt: Instant
    package let start: Instant
    package let end: Instant?
    package let priceMicros: Int64?
    package let currency: String?
    package let refundedAt: Instant?
    package let refundKind: RefundKind?
    /// Positive micros, and the parts it was given back in, where they are told apart.
    package let refundMicros: Int64?
    package let refundParts: [RefundPart]
    /// Seats of a multiseat purchase that are still held; nil for every other row.
    package let seats: Int64?
    package let isUpgraded: Bool
    /// ISO 3166-1 alpha-2, and the offer: where a later answer cannot tell them, they stay.
    package let country: String?
    package let offerType: OfferType?
    package let offerID: String?
    /// Google Play's base plan of the product; nil where nobody said.
    package let basePlanID: String?
    /// What the developer gets, micros; nil where the store did not say.
    package let proceedsMicros: Int64?

    /// Nothing of it can be given back any more.
    package var isGivenBack: Bool { refundedAt != nil && refundKind != .partial }

    package init(
        transactionID: String, productID: String, periodKey: String, kind: TransactionKind, isTrialConversion: Bool,
        purchasedAt: Instant, start: Instant, end: Instant?, priceMicros: Int64?, currency: String?,
        refundedAt: Instant?, refundKind: RefundKind? = nil, refundMicros: Int64? = nil,
        refundParts: [RefundPart] = [], seats: Int64? = nil, isUpgraded: Bool, country: String? = nil,
        offerType: OfferType? = nil, offerID: String? = nil,
        basePlanID: String? = nil, proceedsMicros: Int64? = nil
    ) {
        self.transactionID = transactionID
        self.productID = productID
        self.periodKey = periodKey
        self.kind = kind
        self.isTrialConversion = isTrialConversion
        self.purchasedAt = purchasedAt
        self.start = start
        self.end = end
        self.priceMicros = priceMicros
        self.currency = currency
        self.refundedAt = refundedAt
        self.refundKind = refundKind
        self.refundMicros = refundMicros
        self.refundParts = refundParts
        self.seats = seats
        self.isUpgraded = isUpgraded
        self.country = country
        self.offerType = offerType
        self.offerID = offerID
        self.basePlanID = basePlanID
        self.proceedsMicros = proceedsMicros
    }
}
