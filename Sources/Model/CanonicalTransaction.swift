// SPDX-License-Identifier: Apache-2.0

/// One canonical row: a period or a one-time sale as the store now reports it, in its place.
package struct CanonicalTransaction: HasPeriodFacts, HasSaleFacts, HasRefundFacts, Hashable, Sendable {
    package var key: SubscriptionKey
    package var lineageKey: SubscriptionKey
    package var appID: AppID
    package var store: StoreKind
    package var environment: PurchaseEnvironment
    package var facts: PeriodFacts
    package var sale: SaleFacts
    package var kind: TransactionKind
    package var isTrialConversion: Bool
    package var refund: RefundFacts
    /// Reported in another subscription's answer and assessed without what we know of its own: it is booked only where
    /// neither its transaction id nor its period is known, and a row that is there stays as it is.
    package var isSeenIndirectly: Bool
    /// The content hash of the document that shows it; nil: that of the answer.
    package var answerHash: String?

    package init(
        key: SubscriptionKey, lineageKey: SubscriptionKey, appID: AppID, store: StoreKind,
        environment: PurchaseEnvironment, facts: PeriodFacts, sale: SaleFacts, kind: TransactionKind,
        isTrialConversion: Bool = false, refund: RefundFacts = RefundFacts(), isSeenIndirectly: Bool = false
    ) {
        self.key = key
        self.lineageKey = lineageKey
        self.appID = appID
        self.store = store
        self.environment = environment
        self.facts = facts
        self.sale = sale
        self.kind = kind
        self.isTrialConversion = isTrialConversion
        self.refund = refund
        self.isSeenIndirectly = isSeenIndirectly
    }
}
