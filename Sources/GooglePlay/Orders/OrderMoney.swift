// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Stores

/// What an order as a whole says of money, brought to its lines.
struct OrderMoney {
    private let order: Order
    /// Micros by line; 0 where the store does not say.
    private let totals: [Int64]
    private let readAt: Instant
    /// Lines whose item was taken away before its time was over.
    private let isTakenAway: [Bool]

    /// `takenAway`: products whose item ended early, while others of the purchase go on.
    init(_ order: Order, readAt: Instant, takenAway: Set<String> = []) {
        self.order = order
        self.totals = order.lines.map { $0?.total?.micros ?? 0 }
        self.readAt = readAt
        self.isTakenAway = order.lines.map { $0?.productID.map(takenAway.contains) ?? false }
    }

    private var currency: String? { order.total?.currency ?? order.lines.lazy.compactMap { $0?.total?.currency }.first }

    private var total: Int64 { order.total?.micros ?? totals.reduce(0, +) }

    private var isWhollyRefunded: Bool { order.state == "REFUNDED" || order.refund != nil }

    /// What sums of the whole order are split by: what the lines cost, else what they are listed at, where the store paid all
    /// of it in the customer's place.
    private var weights: [Int64] {
        totals.contains { $0 > 0 } ? totals : order.lines.map { $0?.listed?.micros ?? 0 }
    }

    /// What the developer gets for the whole charge, by line; nil where the store does not say, or shows only what was
    /// left when all had been given back.
    var proceeds: [Int64]? {
        guard let revenue = order.revenue, revenue.currency == currency, !isWhollyRefunded else { return nil }
        let givenBack = order.partialRefunds.reduce(Int64(0)) { $0 + ($1.total?.micros ?? 0) }
        return Shares.grossedUp(revenue.micros, whole: total, without: givenBack).map { Shares.split($0, by: weights) }
    }

    /// What the store paid of the price, by line; nil where nothing.
    var storeDiscounts: [Int64]? {
        guard let discount = order.storeDiscount, discount.micros > 0, discount.currency == currency else { return nil }
        let listed = order.lines.map { $0?.listed?.micros ?? 0 }
        return Shares.split(discount.micros, by: listed.contains { $0 > 0 } ? listed : totals)
    }

    /// What was given back, by line; nil where nothing was.
    var refunds: [ObservedPeriod.Refund?]? {
        var parts = partialParts
        if let closing = closingPart(after: parts) { parts.append(closing) }
        guard !parts.isEmpty else { return nil }
        return totals.indices.map { line in refund(of: line, in: parts) }
    }

    /// Nil for a line that nothing was given back of, while others were.
    private func refund(of line: Int, in parts: [Part]) -> ObservedPeriod.Refund? {
        let concerned = parts.filter { $0.only == nil || $0.only == line }
        guard let last = concerned.last else { return nil }
        let ofLine = concerned.map { RefundPart(at: $0.at, micros: $0.amounts[line], taxMicros: $0.taxes?[line]) }
        let micros = RefundAmount.sum(ofLine)
        let isWhole = isWhollyRefunded || (last.only == line && micros == totals[line])
        return ObservedPeriod.Refund(
            at: last.at, kind: isWhole ? .full : .partial, micros: micros, parts: ofLine.filter { $0.micros > 0 },
            reason: order.refund?.isChargeback == true ? .chargeback : nil)
    }

    /// One sum given back, by line.
    private struct Part {
        let at: Instant
        let amounts: [Int64]
        let taxes: [Int64]?
        /// The one line it belongs to; nil: all of them share it.
        var only: Int?
    }

    private var partialParts: [Part] {
        order.partialRefunds.reduce(into: []) { parts, event in
            let (amount, only) = (event.total?.micros ?? 0, line(of: event, after: parts))
            let shares = only.map { line in totals.indices.map { $0 == line ? Int64(1) : 0 } } ?? weights
            parts.append(
                Part(
                    at: event.at ?? order.lastEventAt ?? readAt, amounts: Shares.split(amount, by: shares),
                    taxes: event.tax.map { Shares.split($0.micros, by: shares) }, only: only))
        }
    }

    /// The line that a refund belongs to by itself; nil: it is of the whole order.
    ///
    /// The order names none: it is that of the one item that was taken away, where it can be, else the one line whose
    /// whole price it is.
    private func line(of event: Order.RefundEvent, after parts: [Part]) -> Int? {
        guard totals.count > 1, let amount = event.total?.micros, amount > 0 else { return nil }
        let rests = rests(after: parts)
        let taken = totals.indices.filter { isTakenAway[$0] && rests[$0] >= amount }
        if taken.count == 1 { return taken.first }
        let whole = totals.indices.filter { line in
            rests[line] == amount && (event.tax == nil || event.tax?.micros == order.lines[line]?.tax?.micros)
        }
        return whole.count == 1 ? whole.first : nil
    }

    private func rests(after parts: [Part]) -> [Int64] {
        totals.indices.map { line in parts.reduce(totals[line]) { $0 - $1.amounts[line] } }
    }

    /// What was given back last, no more than was left.
    ///
    /// Where it is all that was left, each line gives back its own rest, so that no line gives back more than it cost.
    private func closingPart(after parts: [Part]) -> Part? {
        guard isWhollyRefunded else { return nil }
        let left = max(0, total - parts.reduce(Int64(0)) { $0 + $1.amounts.reduce(0, +) })
        // Given back part by part until nothing was left: the last part closed it.
        if order.refund == nil, left == 0, !parts.isEmpty { return nil }
        let amount = min(order.refund?.total?.micros ?? left, left)
        let rests = rests(after: parts)
        let closesLines = amount == left && rests.allSatisfy { $0 >= 0 } && rests.reduce(0, +) == amount
        return Part(
            at: order.refund?.at ?? order.lastEventAt ?? readAt,
            amounts: closesLines ? rests : Shares.split(amount, by: weights),
            taxes: closingTax(after: parts).map { Shares.split($0, by: weights) })
    }

    private func closingTax(after parts: [Part]) -> Int64? {
        guard let refunded = order.refund?.tax?.micros else { return nil }
        guard let tax = order.tax?.micros else { return refunded }
        return min(refunded, max(0, tax - parts.reduce(Int64(0)) { $0 + ($1.taxes?.reduce(0, +) ?? 0) }))
    }
}
