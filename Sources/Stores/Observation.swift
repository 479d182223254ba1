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
