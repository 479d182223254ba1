// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Refunds of seats: the store states a sum, which grows as more of them are given back.
extension RefundFacts {
    /// Continues the steps of what was booked before.
    ///
    /// - Parameters:
    ///   - refund: what the store says now.
    ///   - reportedAt: when a store event reported it: nearer to the day than an answer that does not date it.
    ///   - readAt: the run's now. A whole refund names its day itself.
    mutating func follow(
        _ refund: ObservedPeriod.Refund, after known: KnownPeriod?, reportedAt: Instant?, readAt: Instant
    ) {
        if refund.isGrowing, refundMicros != nil {
            let day = refund.leavesPeriod ? reportedAt.map { min($0, readAt) } ?? readAt : refund.at
            refundParts = RefundAmount.parts(refund.steps(after: known), movedTo: refund.micros ?? 0, at: day)
            refundedAt = refund.leavesPeriod ? refundParts.last?.at ?? refund.at : refund.at
        } else if refund.kind == .revoke, let given = known?.givenBackForSeats(before: refund.at), !given.isEmpty {
            // It was taken away without money: what was given back for some of its seats before stays given back.
            (refundMicros, refundSource, refundParts) = (RefundAmount.sum(given), .derived, given)
        }
    }
}

extension ObservedPeriod.Refund {
    /// What the sum consists of by now. Where the store moves the day on which it took back what was left, all that was given
    /// back on that day moves with it.
    /// What it dates itself is dated so.
    fileprivate func steps(after known: KnownPeriod?) -> [RefundPart] {
        let booked = known?.refund.steps ?? []
        let steps = booked + parts.filter { part in !booked.contains { $0.at == part.at && $0.micros == part.micros } }
        guard !leavesPeriod, let moved = known?.takenBackAt, moved != at else { return steps }
        return steps.map { step in
            step.at == moved ? RefundPart(at: at, micros: step.micros, taxMicros: step.taxMicros) : step
        }
    }
}

extension KnownPeriod {
    /// When the last of its seats was; nil while some are left.
    fileprivate var takenBackAt: Instant? { facts.seats == 0 ? refund.refundedAt : nil }

    fileprivate func givenBackForSeats(before instant: Instant) -> [RefundPart] {
        facts.seats == nil ? [] : refund.steps.filter { $0.at < instant }
    }
}
