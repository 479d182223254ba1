// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransactionPayload {
    /// What its being taken back means; nil where it was not.
    ///
    /// A superseded row that is "revoked" without a type or a share was not refunded by anybody's decision: the store
    /// credits the rest of it against its successor and does not report the amount.
    func revocation(_ ownership: Ownership) -> Revocation? {
        guard revocationDate != nil else { return nil }
        let isCreditOfUpgrade = isUpgraded == true && revocationType == nil && revocationPercentage == nil
        return isCreditOfUpgrade ? nil : reasonOfRevocation(ownership)
    }

    /// What a bundle includes had no money of its own to give back.
    func reasonOfRevocation(_ ownership: Ownership) -> Revocation {
        let reported = Revocation(type: revocationType, reason: revocationReason, ownership: ownership)
        return reported == .refund && includedIn != nil ? .withdrawal : reported
    }

    /// What the store says was given back of this transaction, or taken away without money.
    ///
    /// `readAt`: when the store answered: the day of what it does not date.
    func refund(
        _ ownership: Ownership, readAt: Instant, _ unknownValues: inout UnknownValueCounts
    ) -> ObservedPeriod.Refund? {
        guard let at = Instant(storeMilliseconds: revocationDate), let revocation = revocation(ownership) else {
            return refundOfSeats(ownership, readAt: readAt)
        }
        noteUndocumented(&unknownValues)
        guard revocation.movesMoney else { return ObservedPeriod.Refund(at: at, kind: .revoke) }
        let share = usableShare(&unknownValues)
        guard let total = multiSeat?.totalMicros else {
            return ObservedPeriod.Refund(at: at, kind: refundKind(share), thousandthsOfPercent: share)
        }
        return refund(ofSeatsFor: total, share: share, at: at)
    }

    /// All seats are gone; what was given back for some of them before is a part of the sum.
    private func refund(ofSeatsFor total: Int64, share: Int64?, at: Instant) -> ObservedPeriod.Refund {
        let part = share.flatMap { RefundAmount.micros(of: total, thousandthsOfPercent: $0, currency: currency) }
        return ObservedPeriod.Refund(
            at: at, kind: refundKind(share), micros: part ?? total,
            source: RefundAmount.isPartial(thousandthsOfPercent: share) ? .derived : .storeAmount, isGrowing: true)
    }

    /// Seats were given back and others remain: no date says when, so it is when the store first reported it.
    func refundOfSeats(_ ownership: Ownership, readAt: Instant) -> ObservedPeriod.Refund? {
        guard ownership == .purchased, let micros = multiSeat?.revokedMicros, micros > 0 else { return nil }
        return ObservedPeriod.Refund(
            at: readAt, kind: .partial, micros: micros, source: .derived, isGrowing: true, leavesPeriod: true)
    }

    private func refundKind(_ share: Int64?) -> RefundKind {
        if revocationType == "REFUND_PRORATED" { return .partial }
        return RefundAmount.isPartial(thousandthsOfPercent: share) ? .partial : .full
    }

    private func noteUndocumented(_ unknownValues: inout UnknownValueCounts) {
        if let revocationType, !Revocation.isDocumented(type: revocationType) {
            unknownValues.note("transaction.revocationType=\(revocationType)")
        }
        if let revocationReason, !Revocation.isDocumented(reason: revocationReason) {
            unknownValues.note("transaction.revocationReason=\(revocationReason)")
        }
    }

    private func usableShare(_ unknownValues: inout UnknownValueCounts) -> Int64? {
        guard let revocationPercentage else { return nil }
        guard (0...RefundAmount.whole).contains(revocationPercentage) else {
            unknownValues.note("transaction.revocationPercentage out of range")
            return nil
        }
        return revocationPercentage
    }
}
