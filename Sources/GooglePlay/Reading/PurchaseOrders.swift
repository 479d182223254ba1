// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The status of a purchase, from what the store says of it and of its orders together.
struct PurchaseOrders {
    /// A paid period: as an answer shows it, or as we held it.
    private struct PaidOrder {
        let id: OrderID
        let start: Instant
        let end: Instant?
        let isRefunded: Bool
        let isWhollyRefunded: Bool
        let isOffer: Bool
        /// Perhaps the rest of another period, after a change of plan.
        var isRest = false

        var place: (Instant, Int, Instant) { (start, id.position, end ?? start) }
    }

    private let paid: [PaidOrder]
    private let readAt: Instant

    /// `observed`: the purchase's rows in the answer.
    ///
    /// `known`: what we held of it before.
    init(observed: [ObservedPeriod], known: [KnownPeriod], readAt: Instant) {
        let reported = Set(observed.map(\.transactionID))
        self.paid =
            observed.filter(\.isAutoRenewable).map { period in
                PaidOrder(
                    id: OrderID(period.transactionID), start: period.start, end: period.end,
                    isRefunded: period.refund != nil, isWhollyRefunded: period.refund?.kind == .full,
                    isOffer: period.offerType != nil, isRest: period.recurringPriceMicros != nil)
            }
            + known.filter { $0.kind != .oneTime && !reported.contains($0.transactionID) }.map { period in
                PaidOrder(
                    id: OrderID(period.transactionID), start: period.start, end: period.end,
                    isRefunded: period.refundedAt != nil, isWhollyRefunded: period.refundKind == .full,
                    isOffer: period.offerType != nil,
                    isRest: period.priceMicros == 0 || [.upgrade, .downgrade, .crossgrade].contains(period.kind))
            }
        self.readAt = readAt
    }

    /// The order that the purchase is now based on.
    var newestOrder: String? { newest?.id.text }

    private var newest: PaidOrder? { paid.max { $0.place < $1.place } }

    /// An order of several products counts when all of it was given back.
    private var isNewestWhollyRefunded: Bool {
        guard let newest else { return false }
        return paid.allSatisfy { $0.id != newest.id || $0.isWhollyRefunded }
    }

    /// Ended before its time without a word of who cancelled it, with a part of the money given back: a revocation for what is left.
    private func isNewestTakenBackInPart(by status: ObservedStatus) -> Bool {
        guard status.endReason == .unknown, let newest, let end = newest.end, let expiry = status.expiresAt else {
            return false
        }
        return expiry < end && paid.contains { $0.id == newest.id && $0.isRefunded }
    }

    /// After the store was asked for its status.
    func status(of purchase: Purchase) -> ObservedStatus {
        var status = ObservedStatus(
            state: purchase.state, raw: purchase.raw, productID: purchase.productID, autoRenew: purchase.autoRenew,
            autoRenewProductID: purchase.autoRenewProductID, expiresAt: purchase.expiresAt,
            endReason: purchase.endReason, resumesAt: purchase.resumesAt, cancelledAt: purchase.cancelledAt,
            sourceVersion: readAt)
        if purchase.mayAwaitFirstPayment && paid.isEmpty { status.state = .pending }
        if status.state == .expired, isNewestWhollyRefunded || isNewestTakenBackInPart(by: status) {
            takeBack(&status, at: purchase.expiresAt)
        } else {
            bringOutGrace(&status)
        }
        status.committedUntil = committedUntil(of: purchase, status)
        if purchase.isBelowItsPrice || newest?.isOffer == true { status.renewalPrice = purchase.recurringPrice }
        return status
    }

    /// After only its orders were looked at: all stays as it was, but money that was given back for the last period of
    /// what has ended is the reason why it ended.
    func status(retaining snapshot: SubscriptionSnapshot) -> ObservedStatus {
        var status = ObservedStatus(retaining: snapshot, readAt: readAt)
        if snapshot.state == .expired, isNewestWhollyRefunded || isNewestTakenBackInPart(by: status) {
            takeBack(&status, at: snapshot.endedAt ?? snapshot.expiresAt)
        }
        return status
    }

    /// Where the last payment that is owed will have run out, counted on from what is paid for.
    ///
    /// What ended before all were paid has no more to come.
    private func committedUntil(of purchase: Purchase, _ status: ObservedStatus) -> Instant? {
        guard let payments = purchase.committedPayments, payments == 0 || status.state?.isEnded == false,
            let expiry = status.expiresAt
        else { return nil }
        return billedLength.times(payments).end(from: expiry)
    }

    /// The length of a period at the plan's own price: an offer, and the rest of another period, have lengths of their own.
    private var billedLength: PeriodLength {
        let billed = paid.filter { !$0.isOffer && !$0.isRest }.max { $0.place < $1.place }
        let length = billed.flatMap { period in period.end.map { PeriodLength(from: period.start, to: $0) } }
        // Plans are billed by whole months or weeks: other days are those of a period that was moved.
        if case .days(let days) = length, !days.isMultiple(of: 7) { return .months(1) }
        return length ?? .months(1)
    }

    /// The store moves the expiry to the moment of the revocation.
    private func takeBack(_ status: inout ObservedStatus, at instant: Instant?) {
        status.state = .revoked
        status.endReason = .refund
        status.expiresAt = instant
        status.graceExpiresAt = nil
        status.revokedAt = instant
    }

    /// The store pushes the expiry on while it waits for the payment: what was paid for ends with the newest period, and
    /// the rest is grace.
    private func bringOutGrace(_ status: inout ObservedStatus) {
        let waits = status.state == .grace || status.state == .billingRetry
        guard waits || (status.state == .expired && status.endReason == .involuntary),
            let expiry = status.expiresAt, let paidUntil = newest?.end, expiry > paidUntil
        else { return }
        status.expiresAt = paidUntil
        status.graceExpiresAt = expiry
    }
}
