// SPDX-License-Identifier: Apache-2.0

/// One transaction as it really was, a period of a subscription or something sold once: when it appeared, what it covered, and what befell it later.
///
/// Instants are microseconds since the Unix epoch in whole milliseconds.
package struct Period: Hashable, Sendable {
    /// Why the store made the transaction.
    package enum Reason: String, Hashable, Sendable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }

    package var transactionID: String
    package var lineItemID: String
    package var productID: String
    package var term: Term
    /// The instant from which the store shows the transaction; renewals appear up to a day before they begin.
    package var createdAt: Int64
    package var purchasedAt: Int64
    /// The end that stands at last, an extension included.
    package var expiresAt: Int64
    /// When the end was moved there, and the end that the store showed until then.
    package var extended: Dated<Int64>?
    /// The transaction goes on showing the first end: the renewal alone moved.
    package var isExtendedByRenewalAlone = false
    package var reason: Reason
    /// Nil where the store forgot it.
    package var priceMilliunits: Int64?
    package var offer: Offer?
    /// When a dearer product took its place.
    package var upgradedAt: Int64?
    /// The refund as first decided; shown from its own instant on.
    package var refund: Refund?
    /// What the store says instead, each from an instant on: another date or share, or nothing at all (reversed).
    package var refundChanges: [Dated<Refund?>] = []
    /// When a refund was asked for and declined.
    package var refundDeclinedAt: Int64?
    /// The transaction ids under which restores brought it back, each from an instant on; the line item stays.
    package var restores: [Dated<String>] = []
    /// Which month of a year's plan it is, where the plan is paid by the month.
    package var commitment: Commitment?
    /// The seats it is for, where a group buys; its price is then that of all of them.
    package var seats: Seats?
    /// Where it was sold through the Advanced Commerce API.
    package var commerce: Commerce?
    package var ending: Ending = .goesOn
    /// What it is, where it was sold once and covers no time.
    package var soldOnce: SaleKind?
    package var quantity: Int64 = 1

    /// Whether it is a free trial (a zero price alone does not make one).
    package var isTrial: Bool { offer?.discount == .freeTrial }

    /// Whether the customer counts as paying: not free, and the price not 0; an unknown price counts.
    package var isPaid: Bool { !isTrial && priceMilliunits != 0 }

    /// The end that the store shows at an instant.
    package func expiresAt(at now: Int64) -> Int64 {
        extended.flatMap { now < $0.at ? $0.value : nil } ?? expiresAt
    }

    /// The end that its transaction shows at an instant.
    func statedEnd(at now: Int64) -> Int64 {
        isExtendedByRenewalAlone ? extended?.value ?? expiresAt : expiresAt(at: now)
    }

    /// The refund that the store shows at an instant.
    func refund(at now: Int64) -> Refund? {
        if let change = refundChanges.last(where: { $0.at <= now }) { return change.value }
        return refund.flatMap { $0.at <= now ? $0 : nil }
    }

    /// The instants at which the store's word about its refund changes.
    var refundInstants: [Int64] { [refund?.at].compactMap(\.self) + refundChanges.map(\.at) }

    /// The refund as the store shows it in the end.
    package var lastingRefund: Refund? { refund(at: .max) }

    /// The transaction id it goes by at an instant.
    package func transactionID(at now: Int64) -> String { restores.value(at: now) ?? transactionID }

    /// The last instant at or before `now` at which the store counts the transaction as modified; nil while it does not
    /// exist.
    ///
    /// Its documents name the upgrade and the revocation: a refund that was taken back, seats that were given back or
    /// added and an extension show in the row, and leave it where it was in the history.
    func lastModified(at now: Int64) -> Int64? {
        guard createdAt <= now else { return nil }
        let revocations = [refund?.at].compactMap(\.self) + refundChanges.filter { $0.value != nil }.map(\.at)
        let instants =
            [createdAt, upgradedAt].compactMap(\.self) + revocations + restores.map(\.at) + (commerce?.changes ?? [])
        return instants.filter { $0 <= now }.max()
    }
}

extension Period {
    /// Something sold once: its id is its original id too, and its price is that of the whole quantity.
    package static func sale(
        transactionID: String, productID: String, kind: SaleKind, purchasedAt: Int64, quantity: Int64 = 1,
        priceMilliunits: Int64?, offer: Offer? = nil
    ) -> Period {
        Period(
            transactionID: transactionID, lineItemID: transactionID, productID: productID, term: .days(0),
            createdAt: purchasedAt, purchasedAt: purchasedAt, expiresAt: purchasedAt, reason: .purchase,
            priceMilliunits: priceMilliunits, offer: offer, soldOnce: kind, quantity: quantity)
    }
}
