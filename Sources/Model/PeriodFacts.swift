// SPDX-License-Identifier: Apache-2.0

/// What a store says of one transaction and the books hold of it, as far as placing the next one needs it.
///
/// A store's answer (`ObservedPeriod`), what we held before (`KnownPeriod`) and the row that is booked
/// (`CanonicalTransaction`) are this and more.
package struct PeriodFacts: Hashable, Sendable {
    package var transactionID: String
    /// The same after a restore, which changes the transaction id; empty where the store has none.
    package var periodKey: String
    package var productID: String
    /// Google Play's base plan of the product; nil where the store has none or did not say.
    package var basePlanID: String?
    package var purchasedAt: Instant
    package var start: Instant
    /// What was bought ends here; nil for a one-time sale.
    package var end: Instant?
    /// A later end that the store moved it to since; nil where it did not.
    package var extendedUntil: Instant?
    package var offerType: OfferType?
    package var offerID: String?
    /// ISO 3166-1 alpha-2.
    package var country: String?
    /// Seats of a multiseat purchase that are still held; nil for every other row.
    package var seats: Int64?
    /// A later purchase took its place before it was over.
    package var isUpgraded: Bool
    /// The customer's price, tax as charged; nil when unknown, 0 only when the store says 0.
    package var priceMicros: Int64?
    package var currency: String?
    /// What the developer gets of the whole charge, micros of the same currency; nil where the store did not say.
    package var proceedsMicros: Int64?

    package init(
        transactionID: String, periodKey: String, productID: String, basePlanID: String? = nil, purchasedAt: Instant,
        start: Instant, end: Instant?, offerType: OfferType? = nil, offerID: String? = nil, country: String? = nil,
        seats: Int64? = nil, isUpgraded: Bool = false, priceMicros: Int64? = nil, currency: String? = nil,
        proceedsMicros: Int64? = nil, extendedUntil: Instant? = nil
    ) {
        self.transactionID = transactionID
        self.periodKey = periodKey
        self.productID = productID
        self.basePlanID = basePlanID
        self.purchasedAt = purchasedAt
        self.start = start
        self.end = end
        self.offerType = offerType
        self.offerID = offerID
        self.country = country
        self.seats = seats
        self.isUpgraded = isUpgraded
        self.priceMicros = priceMicros
        self.currency = currency
        self.proceedsMicros = proceedsMicros
        self.extendedUntil = extendedUntil
    }

    /// The later of the two ends.
    package var coveredUntil: Instant? { [end, extendedUntil].compactMap(\.self).max() }
}
