// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One-time sales are looked at again for refunds that no store event reports, on the days of the refund watch.
extension TransformStage {
    /// When a sale that an answer shows is looked at next.
    func look(at row: CanonicalTransaction, _ sale: ObservedPeriod, _ context: AnswerContext) -> SaleLook {
        let due = context.due.first { $0.key == row.key && $0.isSale }
        // What was not asked for may be older than the run: it is looked at as of the day it is from.
        let seenAt = due == nil ? min(now, sale.sourceVersion) : now
        let next = row.hasBroughtMoney ? nextLook(at: row, after: seenAt) : nil
        return SaleLook(
            key: row.key, soldAt: row.purchasedAt, nextLookAt: next, receiptID: context.receiptID,
            wasAsked: due != nil)
    }

    /// The answer was about a sale: a receipt that holds it no more has nothing to say of it; a store that answers without it
    /// is asked again.
    func settle(lookedAt due: DueSubscription, into rows: inout ChunkRows) {
        guard rows.looks[due.key] == nil else { return }
        guard due.receipt == nil else {
            let soldAt = due.soldAt ?? now
            rows.looks[due.key] = SaleLook(
                key: due.key, soldAt: soldAt, nextLookAt: nextLook(at: due),
                receiptID: due.receipt?.id, wasAsked: true)
            return
        }
        look(
            failed: .notFound, "The store answered without the one-time sale it was asked about: it is asked again.",
            at: due, into: &rows)
    }

    /// What cannot be read is set aside besides.
    func failedLook(_ failure: StoreFailure, at due: DueSubscription, into rows: inout ChunkRows) {
        if failure.kind == .unreadable {
            rows.setAside.append(
                SetAside(key: due.key, stage: "fetch", reason: failure.reason, detail: failure.message))
        }
        look(failed: failure.kindOfLook, failure.message, at: due, into: &rows)
    }

    /// A failed look is made again: by the next run where the failure may pass, else on the next nights, as many as an order
    /// that is not settled is waited for; then it counts as made.
    func look(
        failed kind: NextCheck.FailureKind, _ message: String, at due: DueSubscription, into rows: inout ChunkRows
    ) {
        let failures = failingNights(of: due)
        let isLost = kind == .notFound && failures > AwaitedOrder.mostNights
        let again =
            kind == .notFound ? now + NextCheck.night : NextCheck.afterFailure(kind, failures: failures, now: now).at
        rows.failedLooks.append(
            FailedLook(
                key: due.key, kind: kind, message: message, failures: isLost ? 0 : failures,
                nextLookAt: isLost ? nextLook(at: due) : again))
    }

    /// What was given back whole is looked at once more where the store takes refunds back.
    private func nextLook(at row: CanonicalTransaction, after seenAt: Instant) -> Instant? {
        nextLook(at: row.purchasedAt, isGivenBack: row.isGivenBack, after: seenAt)
    }

    /// One that the store did not show tonight.
    private func nextLook(at due: DueSubscription) -> Instant? {
        let isGivenBack = !due.known.isEmpty && due.known.allSatisfy(\.isGivenBack)
        return nextLook(at: due.soldAt ?? now, isGivenBack: isGivenBack, after: now)
    }

    private func nextLook(at soldAt: Instant, isGivenBack: Bool, after seenAt: Instant) -> Instant? {
        RefundWatch.next(
            charges: [soldAt], checkedAt: seenAt,
            days: RefundWatch.days(saleWatchDays, isGivenBack: isGivenBack, in: kind))
    }
}

extension StoreFailure {
    /// A look is no check of a state: what the store does not know any more is not asked for again for ever.
    fileprivate var kindOfLook: NextCheck.FailureKind {
        switch kind {
        case .refusedForNow where FailedCheck.isServerError(reason): .transient
        case .notFound, .gone, .refusedForNow: .notFound
        case .unreadable: .unreadable
        case .transient, .credential, .storeDown, .cancelled: .transient
        }
    }
}

extension DueSubscription {
    fileprivate var soldAt: Instant? { known.map(\.purchasedAt).min() }
}

extension CanonicalTransaction {
    fileprivate var hasBroughtMoney: Bool {
        environment == .production && sale.ownership == .purchased && facts.priceMicros != 0
    }
}
