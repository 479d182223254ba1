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
            refundParts = RefundAmount.parts(refund.steps(after: known), movedTo: refund.micros ?? 0, at: day).inOrder
            refundedAt = refund.leavesPeriod ? refundParts.last?.at ?? refund.at : refund.at
        } else if refund.kind == .revoke, let given = known?.givenBackForSeats(before: refund.at), !given.isEmpty {
            // It was taken away without money: what was given back for some of its seats before stays given back.
            (refundMicros, refundSource, refundParts) = (RefundAmount.sum(given), .derived, given)
        }
    }
}

extension ObservedPeriod.Refund {
    /// What the sum consists of by now, the latest last: it goes first where the sum shrinks. Where the store moves the day on which it
    /// took back what was left, all that was given back on that day moves with it.
    fileprivate func steps(after known: KnownPeriod?) -> [RefundPart] {
        let booked = known?.refund.steps ?? []
        let steps = (booked + parts(beyond: booked)).inOrder
        guard !leavesPeriod, let moved = known?.takenBackAt, moved != at else { return steps }
        return steps.map { step in
            step.at == moved ? RefundPart(at: at, micros: step.micros, taxMicros: step.taxMicros) : step
        }
    }

    /// What the store dates itself is of that day: what it says of the day, less what is booked there.
    private func parts(beyond booked: [RefundPart]) -> [RefundPart] {
        Dictionary(grouping: parts, by: \.at).compactMap { at, given in
            let more = RefundAmount.sum(given) - RefundAmount.sum(booked.filter { $0.at == at })
            return more > 0 ? RefundPart(at: at, micros: more) : nil
        }
    }
}

extension [RefundPart] {
    fileprivate var inOrder: [RefundPart] { sorted { $0.at < $1.at } }
}

extension KnownPeriod {
    /// When the last of its seats was; nil while some are left.
    fileprivate var takenBackAt: Instant? { facts.seats == 0 ? refund.refundedAt : nil }

    fileprivate func givenBackForSeats(before instant: Instant) -> [RefundPart] {
        facts.seats == nil ? [] : refund.steps.filter { $0.at < instant }
    }
}
