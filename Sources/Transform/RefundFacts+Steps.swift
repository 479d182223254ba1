// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Refunds of seats: the store states a sum, which grows as more of them are given back.
extension RefundFacts {
    /// Continues the steps of what was booked before.
    ///
    /// `refund`: what the store says now.
    /// `reportedAt`: when a store event reported it: nearer to the day than an answer that does not date it.
    /// `readAt`: the run's now. A whole refund names its day itself.
    mutating func follow(
        _ refund: ObservedPeriod.Refund, after known: KnownPeriod?, reportedAt: Instant?, readAt: Instant
    ) {
        if refund.isGrowing, refundMicros != nil {
            let day = refund.leavesPeriod ? reportedAt.map { min($0, readAt) } ?? readAt : refund.at
            refundParts = refund.steps(after: known, restAt: day)
            refundedAt = refund.leavesPeriod ? refundParts.last?.at ?? refund.at : refund.at
        } else if refund.kind == .revoke, let given = known?.givenBackForSeats(before: refund.at), !given.isEmpty {
            // It was taken away without money: what was given back for some of its seats before stays given back, beside what the
            // store dates itself.
            let dated = refundParts.isEmpty ? given.filter(\.isMoneyOnly) : refundParts
            let undated = given.filter { !$0.isMoneyOnly }
            let room = known?.facts.priceMicros.map { max(0, $0 - RefundAmount.sum(dated)) } ?? .max
            let sum = min(RefundAmount.sum(undated), room)
            let parts = (RefundAmount.parts(undated, movedTo: sum, at: refund.at) + dated).inOrder
            (refundMicros, refundSource, refundParts) = (RefundAmount.sum(parts), .derived, parts)
        }
    }
}

extension ObservedPeriod.Refund {
    /// What the sum consists of by now.
    ///
    /// What the store dates itself, money alone, is of its day for as long as it says so; of what was given back for
    /// seats the latest goes first where the sum shrinks, and what is new is of `day`.
    fileprivate func steps(after known: KnownPeriod?, restAt day: Instant) -> [RefundPart] {
        let undated = (known?.refund.steps ?? []).filter { !$0.isMoneyOnly }.map { moved($0, from: known?.takenBackAt) }
        let rest = RefundAmount.parts(undated.inOrder, movedTo: (micros ?? 0) - RefundAmount.sum(parts), at: day)
        return (parts + rest).inOrder
    }

    /// Where the store moves the day on which it took back what was left, all that was given back on that day moves with it.
    private func moved(_ step: RefundPart, from takenBackAt: Instant?) -> RefundPart {
        guard !leavesPeriod, step.at == takenBackAt else { return step }
        return RefundPart(at: at, micros: step.micros, taxMicros: step.taxMicros)
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
