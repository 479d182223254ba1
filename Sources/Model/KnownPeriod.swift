// SPDX-License-Identifier: Apache-2.0

/// What we already hold of one period of a subscription: enough to place a new one in its timeline.
package struct KnownPeriod: HasPeriodFacts, HasRefundFacts, Hashable, Sendable {
    package let facts: PeriodFacts
    package let kind: TransactionKind
    package let isTrialConversion: Bool
    package let refund: RefundFacts

    /// Nothing of it can be given back any more.
    package var isGivenBack: Bool { refund.refundedAt != nil && refund.refundKind != .partial }

    package init(
        _ facts: PeriodFacts, kind: TransactionKind, isTrialConversion: Bool = false,
        refund: RefundFacts = RefundFacts()
    ) {
        self.facts = facts
        self.kind = kind
        self.isTrialConversion = isTrialConversion
        self.refund = refund
    }
}
