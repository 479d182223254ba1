// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of refunds, in micros: how much of a price was refunded, and in which steps.
package enum RefundAmount {
    /// All of a price, in thousandths of a percent.
    package static let whole: Int64 = 100_000

    /// The refunded part of a price by the store's percentage (100,000 = 100 %), half up to the currency's minor unit, as
    /// customers are paid, and never more than the price; nil when negative or out of range.
    package static func micros(of price: Int64, thousandthsOfPercent: Int64, currency: String?) -> Int64? {
        guard price >= 0, (0...whole).contains(thousandthsOfPercent) else { return nil }
        let unit = Int128(Money.minorUnit(of: currency))
        let divisor = Int128(whole) * unit
        let units = (2 * Int128(price) * Int128(thousandthsOfPercent) + divisor) / (2 * divisor)
        return Int64(min(units * unit, Int128(price)))
    }

    /// Whether a share leaves something of the price; an unknown one leaves nothing.
    package static func isPartial(thousandthsOfPercent share: Int64?) -> Bool { share.map { $0 < whole } ?? false }

    /// What several parts come to.
    package static func sum(_ parts: [RefundPart]) -> Int64 { parts.reduce(0) { $0 + $1.micros } }

    /// Full where the sum comes to the price; partial where the price is not known.
    package static func kind(ofSum sum: Int64, price: Int64?) -> RefundKind {
        price.map { sum >= $0 } ?? false ? .full : .partial
    }

    /// The known parts, adjusted to the sum that is reported now: an excess was refunded at that instant, and where the
    /// sum has shrunk, the latest parts go first.
    package static func parts(_ known: [RefundPart], movedTo sum: Int64, at instant: Instant) -> [RefundPart] {
        var parts = known
        var rest = sum - self.sum(parts)
        while rest < 0, let last = parts.popLast() {
            rest += last.micros
            if rest > 0 { return parts + [RefundPart(at: last.at, micros: rest)] }
        }
        return rest > 0 ? parts + [RefundPart(at: instant, micros: rest)] : parts
    }
}

extension RefundFacts {
    /// What was refunded, step by step.
    package var steps: [RefundPart] {
        guard refundParts.isEmpty, let refundedAt, let refundMicros, refundMicros > 0 else { return refundParts }
        return [RefundPart(at: refundedAt, micros: refundMicros)]
    }
}
