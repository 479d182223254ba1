// SPDX-License-Identifier: Apache-2.0

package import Model

/// One settled period or one-time sale, as the store reports it.
package struct ObservedPeriod: HasPeriodFacts, HasSaleFacts, Hashable, Sendable {
    /// What the store says of the place of a period in its timeline.
    package enum Hint: Sendable { case purchase, renewal }
    /// What was refunded, as the store says.
    package struct Refund: Hashable, Sendable {
        package let at: Instant
        package let kind: RefundKind
        /// Thousandths of a percent (100,000 = all), where the store gives a share.
        package let thousandthsOfPercent: Int64?
        /// Micros, where the store gives an amount: the sum, where it was given back in parts.
        package let micros: Int64?
        /// In the order they were given back, where the store lists its parts one by one.
        package let parts: [RefundPart]
        /// Where `micros` come from.
        package let source: RefundSource
        /// The sum grows over time and the store dates none of its steps: what is more than we knew of was given back `at`.
        package let isGrowing: Bool
        /// Money was given back and nothing was taken away: the period goes on.
        package let leavesPeriod: Bool
        /// Nil: a refund like any other.
        package let reason: RefundReason?

        package init(
            at: Instant, kind: RefundKind, thousandthsOfPercent: Int64? = nil, micros: Int64? = nil,
            parts: [RefundPart] = [], source: RefundSource = .storeAmount, isGrowing: Bool = false,
            leavesPeriod: Bool = false, reason: RefundReason? = nil
        ) {
            self.at = at
            self.kind = kind
            self.thousandthsOfPercent = thousandthsOfPercent
            self.micros = micros
            self.parts = parts
            self.source = source
            self.isGrowing = isGrowing
            self.leavesPeriod = leavesPeriod
            self.reason = reason
        }
    }

    package var facts: PeriodFacts
    package var sale: SaleFacts
    package var isAutoRenewable: Bool
    package var isFreeOffer: Bool
    /// One of several transactions of a running period: it exists beside the others, and replaces none of them.
    package var isAdditional: Bool
    package var refund: Refund?
    /// Paid in advance and topped up, never renewed by itself.
    package var isPrepaid: Bool
    package var hint: Hint?
    /// The store named a place that is no country: nothing stands in for it.
    package var isOfUnknownCountry: Bool

    package init(
        _ facts: PeriodFacts, _ sale: SaleFacts, isAutoRenewable: Bool = true, isFreeOffer: Bool = false,
        isAdditional: Bool = false, refund: Refund? = nil, isPrepaid: Bool = false, hint: Hint? = nil,
        isOfUnknownCountry: Bool = false
    ) {
        self.facts = facts
        self.sale = sale
        self.isAutoRenewable = isAutoRenewable
        self.isFreeOffer = isFreeOffer
        self.isAdditional = isAdditional
        self.refund = refund
        self.isPrepaid = isPrepaid
        self.hint = hint
        self.isOfUnknownCountry = isOfUnknownCountry
    }
}
