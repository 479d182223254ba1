// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransformStage {
    /// Books every period that the answer showed, placed in the timeline of all we know.
    ///
    /// A known period that the answer did not show is not booked again, even where an earlier period that only now
    /// became known would change its kind: we do not hold its whole image. Reading the whole history shows both.
    func bookPeriods(
        of subject: ObservedSubscription, _ timeline: Timeline, after earlier: [TimelinePeriod],
        _ context: AnswerContext,
        into rows: inout ChunkRows
    ) {
        let memory = TransactionClassifier.Memory(
            wasAwaitingPayment: subject.due?.snapshot.state.isAwaitingPayment ?? false,
            isWhole: subject.due != nil, isLinked: subject.continuesAnother,
            refundsEndPeriods: kind == .appStore, levels: levels)
        for (period, place) in timeline.placed(memory, after: earlier, hasSeveralItems: subject.hasSeveralItems) {
            guard let observed = period.observed else { continue }
            rows.transactions.append(canonical(observed, as: period, at: place, of: subject, context))
        }
        for alias in timeline.aliases {
            rows.aliases.append(
                TransactionAlias(key: subject.key, alias: alias.alias, transactionID: alias.transactionID))
        }
    }

    private func canonical(
        _ observed: ObservedPeriod, as period: TimelinePeriod, at place: TransactionClassifier.Place,
        of subject: ObservedSubscription, _ context: AnswerContext
    ) -> CanonicalTransaction {
        var row = row(
            of: observed, key: subject.key, kind: place.kind, environment: subject.environment,
            country: subject.due?.country ?? context.asker.country, context)
        row.lineageKey = subject.due?.lineageKey ?? subject.key
        row.facts.transactionID = period.transactionID
        row.facts.purchasedAt = period.purchasedAt
        row.facts.start = period.start
        row.isTrialConversion = place.isTrialConversion
        if let refund = observed.refund {
            let reports = subject.due?.refundReports
            row.refund.follow(
                refund, after: period.known,
                reportedAt: reports?.instant(of: observed.transactionID, or: period.transactionID), readAt: now)
        }
        row.isSeenIndirectly = subject.due == nil
        return row
    }

    /// Books a one-time sale under the key of its own original transaction id.
    ///
    /// A restored one comes back under a new transaction id and the date of the restore: the first id stays.
    func bookSale(
        _ sale: ObservedPeriod, in environment: PurchaseEnvironment, _ context: AnswerContext,
        into rows: inout ChunkRows
    ) {
        let key = SubscriptionKey(appID: appID, storeKey: sale.originalTransactionID)
        var row = row(
            of: sale, key: key, kind: .oneTime, environment: environment, country: context.asker.country, context)
        (row.facts.end, row.sale.statesUpgrade) = (nil, true)
        if sale.transactionID != sale.originalTransactionID {
            row.facts.transactionID = sale.originalTransactionID
            row.facts.periodKey = sale.originalTransactionID
            row.isSeenIndirectly = true
            rows.aliases.append(
                TransactionAlias(key: key, alias: sale.transactionID, transactionID: sale.originalTransactionID))
        }
        rows.transactions.append(row)
        let look = look(at: row, sale, context)
        rows.looks.merge([key: look], uniquingKeysWith: SaleLook.sooner)
        // Of several answers that show it any one will do, but not whichever came first.
        rows.saleAnswers.merge([key: context.answerHash], uniquingKeysWith: min)
    }

    private func row(
        of period: ObservedPeriod, key: SubscriptionKey, kind: TransactionKind, environment: PurchaseEnvironment,
        country: String?, _ context: AnswerContext
    ) -> CanonicalTransaction {
        var facts = period.facts
        if facts.periodKey.isEmpty { facts.periodKey = facts.transactionID }
        facts.country = facts.country ?? (period.isOfUnknownCountry ? nil : country ?? defaultCountry)
        let refund = RefundFacts(
            at: period.refund?.at, kind: period.refund?.kind, reason: period.refund?.reason,
            micros: period.refundMicros, source: period.refundSource, parts: period.refundParts)
        var row = CanonicalTransaction(
            key: key, lineageKey: key, appID: appID, store: self.kind, environment: environment, facts: facts,
            sale: period.sale, kind: kind, refund: refund)
        row.answerHash = context.answerHash(of: period.transactionID)
        return row
    }
}

extension ObservedPeriod {
    /// The store's amount; else its share of the price; else the whole price.
    ///
    /// A family revocation gives no money back: there the amount is what was given back before.
    fileprivate var refundMicros: Int64? {
        guard let refund, refund.kind != .revoke || refund.micros != nil, let price = facts.priceMicros else {
            return nil
        }
        if let micros = refund.micros { return micros }
        guard let share = refund.thousandthsOfPercent else { return price }
        return RefundAmount.micros(of: price, thousandthsOfPercent: share, currency: facts.currency)
    }

    /// Nil where the amount is not known.
    fileprivate var refundSource: RefundSource? {
        guard let refund, refundMicros != nil else { return nil }
        if refund.micros != nil { return refund.source }
        return RefundAmount.isPartial(thousandthsOfPercent: refund.thousandthsOfPercent) ? .derived : .storeAmount
    }
}

extension ObservedPeriod {
    /// What the store lists of its parts; of an unknown price none is known.
    fileprivate var refundParts: [RefundPart] { refundMicros == nil ? [] : refund?.parts ?? [] }
}
