// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What an order as a whole says of money, brought to its lines.
struct OrderMoney {
    private let order: Order
    /// Micros by line; 0 where the store does not say.
    private let weights: [Int64]
    private let readAt: Instant

    init(_ order: Order, readAt: Instant) {
        self.order = order
        self.weights = order.lines.map { $0?.total?.micros ?? 0 }
        self.readAt = readAt
    }

    private var currency: String? { order.total?.currency ?? order.lines.lazy.compactMap { $0?.total?.currency }.first }

    private var total: Int64 { order.total?.micros ?? weights.reduce(0, +) }

    private var isWhollyRefunded: Bool { order.state == "REFUNDED" || order.refund != nil }

    /// What the developer gets for the whole charge, by line; nil where the store does not say, or shows only what was
    /// left when all had been given back.
    var proceeds: [Int64]? {
        guard let revenue = order.revenue, revenue.currency == currency, !isWhollyRefunded else { return nil }
        let givenBack = order.partialRefunds.reduce(Int64(0)) { $0 + ($1.total?.micros ?? 0) }
        return Shares.grossedUp(revenue.micros, whole: total, without: givenBack).map { Shares.split($0, by: weights) }
    }

    /// What was given back, by line; nil where nothing was.
    var refunds: [ObservedPeriod.Refund]? {
        var parts = partialParts
        if let closing = closingPart(after: parts) { parts.append(closing) }
        guard let last = parts.last else { return nil }
        return weights.indices.map { line in
            let ofLine = parts.map { RefundPart(at: $0.at, micros: $0.amounts[line], taxMicros: $0.taxes?[line]) }
            return ObservedPeriod.Refund(
                at: last.at, kind: isWhollyRefunded ? .full : .partial,
                micros: ofLine.reduce(0) { $0 + $1.micros }, parts: ofLine.filter { $0.micros > 0 })
        }
    }

    /// One sum given back, by line.
    private struct Part {
        let at: Instant
        let amounts: [Int64]
        let taxes: [Int64]?
    }

    private var partialParts: [Part] {
        order.partialRefunds.map { event in
            Part(
                at: event.at ?? order.lastEventAt ?? readAt,
                amounts: Shares.split(event.total?.micros ?? 0, by: weights),
                taxes: event.tax.map { Shares.split($0.micros, by: weights) })
        }
    }

    /// What was given back last, no more than was left. Where it is all that was left, each line gives back its own
    /// rest, so that no line gives back more than it cost.
    private func closingPart(after parts: [Part]) -> Part? {
        guard isWhollyRefunded else { return nil }
        let left = max(0, total - parts.reduce(Int64(0)) { $0 + $1.amounts.reduce(0, +) })
        // Given back part by part until nothing was left: the last part closed it.
        if order.refund == nil, left == 0, !parts.isEmpty { return nil }
        let amount = min(order.refund?.total?.micros ?? left, left)
        let rests = weights.indices.map { line in
            parts.reduce(weights[line]) { $0 - $1.amounts[line] }
        }
        let closesLines = amount == left && rests.allSatisfy { $0 >= 0 } && rests.reduce(0, +) == amount
        return Part(
            at: order.refund?.at ?? order.lastEventAt ?? readAt,
            amounts: closesLines ? rests : Shares.split(amount, by: weights),
            taxes: closingTax(after: parts).map { Shares.split($0, by: weights) })
    }

    private func closingTax(after parts: [Part]) -> Int64? {
        guard let told = order.refund?.tax?.micros else { return nil }
        guard let tax = order.tax?.micros else { return told }
        return min(told, max(0, tax - parts.reduce(Int64(0)) { $0 + ($1.taxes?.reduce(0, +) ?? 0) }))
    }
}
