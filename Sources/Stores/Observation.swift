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
    package let isSubstitute: Bool
    /// What the store was asked with, where the sale has another key; else nil.
    package let askedWith: Secret?
    /// Its orders that the store names and has not settled, or did not return.
    package let unsettled: [UnsettledOrder]

    package init(
        storeKey: Secret, environment: PurchaseEnvironment, status: ObservedStatus?, periods: [ObservedPeriod],
        historyCursor: String? = nil, hasMoreHistory: Bool = false, linkedTo: Secret? = nil,
        items: [SubscriptionItem]? = nil, isSubstitute: Bool = false, askedWith: Secret? = nil,
        unsettled: [UnsettledOrder] = []
    ) {
        self.storeKey = storeKey
        self.environment = environment
        self.status = status
        self.periods = periods
        self.historyCursor = historyCursor
        self.hasMoreHistory = hasMoreHistory
        self.linkedTo = linkedTo
        self.items = items
        self.isSubstitute = isSubstitute
        self.askedWith = askedWith
        self.unsettled = unsettled
    }

    /// Bought once, and its order not settled: only its money waits.
    package var isBoughtUnsettled: Bool { status?.state == .pending && !unsettled.isEmpty }
}

/// An order that its store has not settled, or did not return: nothing of it is booked, and it is asked for again.
package struct UnsettledOrder: Hashable, Sendable {
    package let id: String
    /// The charge of the next order after it that is booked; nil where it is the latest.
    package let followedAt: Instant?

    package init(id: String, followedAt: Instant? = nil) {
        self.id = id
        self.followedAt = followedAt
    }
}

/// The status of a subscription, as the store reports it.
package struct ObservedStatus: Hashable, Sendable {
    /// Nil: a value the store invented; the last state is kept. `active` includes trials: Transform separates them.
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
    /// When the customer switched the renewal off, where the store dates it; nil where it does not, or it was not switched off.
    package var cancelledAt: Instant?
    /// Until when payments are committed to, where the customer cancelled a plan of so many payments; nil where not. While they
    /// are owed `autoRenew` is true.
    package var committedUntil: Instant?
    /// The plan is one of committed payments, cancelled or not; nil where the store does not say.
    package var isCommitted: Bool?
    /// What the next renewal costs, where the store says so.
    package var renewalPrice: RenewalPrice?
    /// When the store signed or sent this.
    package var sourceVersion: Instant

    package init(
        state: SubscriptionState?, raw: String? = nil, productID: String? = nil, autoRenew: Bool? = nil,
        autoRenewProductID: String? = nil, expiresAt: Instant? = nil, graceExpiresAt: Instant? = nil,
        endReason: EndReason? = nil, revokedAt: Instant? = nil, resumesAt: Instant? = nil,
        cancelledAt: Instant? = nil, committedUntil: Instant? = nil, isCommitted: Bool? = nil,
        renewalPrice: RenewalPrice? = nil, sourceVersion: Instant
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
        self.committedUntil = committedUntil
        self.isCommitted = isCommitted
        self.renewalPrice = renewalPrice
        self.sourceVersion = sourceVersion
    }
}
