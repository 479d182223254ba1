// SPDX-License-Identifier: Apache-2.0

/// One transaction of a subscription as it really was: when it appeared, what it covered, and what befell it later.
///
/// Instants are microseconds since the Unix epoch in whole milliseconds.
package struct Period: Hashable, Sendable, Refundable {
    /// Why the store made the transaction.
    package enum Reason: String, Hashable, Sendable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }

    package var transactionID: String
    /// The store's line item.
    package var lineItemID: String
    package var productID: String
    package var term: Term
    /// The instant from which the store shows the transaction; renewals appear up to a day before they begin.
    package var createdAt: Int64
    package var purchasedAt: Int64
    package var expiresAt: Int64
    package var reason: Reason
    /// Nil where the store forgot it.
    package var priceMilliunits: Int64?
    package var offer: Offer?
    /// When a dearer product took its place.
    package var upgradedAt: Int64?
    package var refund: Refund?
    package var refundChanges: [SubscriptionLife.Dated<Refund?>] = []
    /// When a refund was asked for in vain.
    package var refundDeclinedAt: Int64?
    /// The transaction ids under which restores brought it back, each from an instant on; the line item stays.
    package var restores: [SubscriptionLife.Dated<String>] = []
    /// Which month of a year's plan it is, where the plan is paid by the month.
    package var commitment: Commitment?
    /// The seats it is for, where a group buys; its price is then that of all of them.
    package var seats: Seats?
    /// Where it was sold through the Advanced Commerce API.
    package var commerce: Commerce?
    package var ending: Ending = .goesOn

    package init(
        transactionID: String, lineItemID: String, productID: String, term: Term, createdAt: Int64, purchasedAt: Int64,
        expiresAt: Int64, reason: Reason, priceMilliunits: Int64?, offer: Offer? = nil
    ) {
        self.transactionID = transactionID
        self.lineItemID = lineItemID
        self.productID = productID
        self.term = term
        self.createdAt = createdAt
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.reason = reason
        self.priceMilliunits = priceMilliunits
        self.offer = offer
    }

    /// Whether it is a free trial (a zero price alone does not make one).
    package var isTrial: Bool { offer?.discount == .freeTrial }

    /// Whether the customer counts as paying: not free, and the price not 0; an unknown price counts.
    package var isPaid: Bool { !isTrial && priceMilliunits != 0 }

    /// The refund as the store shows it in the end.
    package var lastingRefund: Refund? { refund(at: .max) }

    /// The transaction id it goes by at an instant.
    package func transactionID(at now: Int64) -> String { restores.value(at: now) ?? transactionID }

    /// The last instant at or before `now` at which the transaction was made or changed; nil while it does not exist.
    func lastModified(at now: Int64) -> Int64? {
        guard createdAt <= now else { return nil }
        let instants =
            [createdAt, upgradedAt, seats?.joinedAt].compactMap(\.self) + refundInstants + restores.map(\.at)
            + (seats?.givenBack.map(\.at) ?? []) + (commerce?.changes ?? [])
        return instants.filter { $0 <= now }.max()
    }
}
