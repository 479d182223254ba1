// SPDX-License-Identifier: Apache-2.0

/// What we already hold of one period of a subscription: enough to place a new one in its timeline.
package struct KnownPeriod: HasPeriodFacts, HasRefundFacts, Hashable, Sendable {
    package let facts: PeriodFacts
    package let ownership: Ownership
    package let kind: TransactionKind
    package let isTrialConversion: Bool
    package let refund: RefundFacts
    /// How new the store's statement is that it is based on; nil where it was not asked for.
    package let sourceVersion: Instant?

    package init(
        _ facts: PeriodFacts, ownership: Ownership = .purchased, kind: TransactionKind, isTrialConversion: Bool = false,
        refund: RefundFacts = RefundFacts(), sourceVersion: Instant? = nil
    ) {
        self.facts = facts
        self.ownership = ownership
        self.kind = kind
        self.isTrialConversion = isTrialConversion
        self.refund = refund
        self.sourceVersion = sourceVersion
    }
}

extension HasRefundFacts where Self: HasPeriodFacts {
    /// Nothing of it can be given back any more.
    ///
    /// What is still owned may be taken back yet.
    package var isGivenBack: Bool { refund.refundedAt != nil && refund.refundKind != .partial && !leavesPeriod }

    /// Seats were given back, and others are still held; or money alone was.
    package var leavesPeriod: Bool {
        let isMoneyOnly = !refund.refundParts.isEmpty && refund.refundParts.allSatisfy(\.isMoneyOnly)
        return refund.refundKind != .revoke && (facts.seats.map { $0 > 0 } ?? isMoneyOnly)
    }
}
