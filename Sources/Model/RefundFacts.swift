// SPDX-License-Identifier: Apache-2.0

/// What was refunded of a row of the books; all nil where nothing was.
package struct RefundFacts: Hashable, Sendable {
    package var refundedAt: Instant?
    package var refundKind: RefundKind?
    /// Nil: a refund like any other, or none.
    package var refundReason: RefundReason?
    /// Positive micros, the sum of the row's refunds; nil while the price is unknown.
    package var refundMicros: Int64?
    /// Nil while `refundMicros` is.
    package var refundSource: RefundSource?
    /// The parts of a refund that the store lists one by one, in their order; else empty.
    package var refundParts: [RefundPart]

    package init(
        at refundedAt: Instant? = nil, kind: RefundKind? = nil, reason: RefundReason? = nil, micros: Int64? = nil,
        source: RefundSource? = nil, parts: [RefundPart] = []
    ) {
        self.refundedAt = refundedAt
        self.refundKind = kind
        self.refundReason = reason
        self.refundMicros = micros
        self.refundSource = source
        self.refundParts = parts
    }
}
