// SPDX-License-Identifier: Apache-2.0

/// One booked period of a subscription, as a ledger that reads the store well must show it.
///
/// Instants are microseconds since the Unix epoch (UTC), money is micros of the currency; nil means unknown, never 0.
package struct BookedTransaction: Hashable, Sendable, Codable {
    /// What a period is to its lineage.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        case trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade
        /// A prepaid period more.
        case topUp = "top_up"
        /// Sold once, apart from subscriptions.
        case oneTime = "one_time"
    }

    /// The kind of offer a period was bought under.
    package enum OfferType: String, Hashable, Sendable, Codable, CaseIterable {
        case introductory, promotional, code, retention
        case winBack = "win_back"

        var isForKnownCustomers: Bool { self == .promotional || self == .winBack }
    }

    /// How much of a period's money went back.
    package enum RefundKind: String, Hashable, Sendable, Codable, CaseIterable {
        case full, partial
        /// Access taken away without money back (family sharing ended).
        case revoke
    }

    /// Why money went back, where that is a case of its own.
    package enum RefundReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// The customer's bank took it back.
        case chargeback
    }

    package var appID: String
    package var originalTransactionID: String
    package var transactionID: String
    package var productID: String
    /// The store's line item of the period (`webOrderLineItemId`); Google Play's order id.
    package var periodKey: String
    package var kind: Kind
    package var isTrialConversion: Bool
    package var offerType: OfferType?
    package var ownership: Ownership
    package var environment: StoreEnvironment
    /// ISO 3166-1 alpha-2; nil where the store names none (receipts).
    package var country: String?
    package var purchasedAt: Int64
    package var periodStart: Int64
    /// A one-time sale covers no period: its end is its start.
    package var periodEnd: Int64
    /// The later end that was shown since, where there was one; what was paid for ended as it was first shown.
    package var extendedUntil: Int64?
    package var priceMicros: Int64?
    package var currency: String?
    package var refundedAt: Int64?
    package var refundKind: RefundKind?
    package var refundMicros: Int64?
    package var isUpgraded: Bool
    /// The tax in the price; nil where the store does not report it.
    package var taxMicros: Int64?
    /// What the developer gets of the whole charge; nil where the store does not report it.
    package var proceedsMicros: Int64?
    /// Google Play's base plan of the product; nil where the store has none, or reported none.
    package var basePlanID: String?
    /// What the store itself paid of the price; nil where nothing, or where it did not report it.
    package var storeDiscountMicros: Int64?
    package var refundReason: RefundReason?
    /// Until when it covers.
    var coversUntil: Int64 { max(periodEnd, extendedUntil ?? periodEnd) }
    /// Seats that are still held of those it was bought for; nil where it is for none, and for who was given one.
    package var seats: Int64?
    /// The transaction of the bundle that includes it.
    package var bundleTransactionID: String?
}
