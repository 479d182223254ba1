// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Stores

extension TransactionPayload {
    /// The rows of this transaction: one, or one for each item that the Advanced Commerce API sold in it.
    ///
    /// `known`: the rows of this transaction that are booked already. One that was booked as a whole, under its generic
    /// product, stays so: split now, its money would be booked twice.
    func periods(
        known: [KnownPeriod], answeredAt: Instant?, unknownValues: inout UnknownValueCounts
    ) throws(RowRefusal) -> [ObservedPeriod] {
        let stated = try period(answeredAt: answeredAt, unknownValues: &unknownValues)
        guard let commerce = advancedCommerce, !commerce.named.isEmpty, includedIn == nil else { return [stated] }
        for item in commerce.named { try RowRefusal.checkLength(of: ["SKU": item.sku]) }
        if commerce.named.count < commerce.items.count {
            unknownValues.note("transaction.items without a name of their own")
        }
        let whole = withRemainingSeats(stated, of: commerce, readAt: answeredAt)
        guard !known.contains(where: { $0.productID == whole.productID }) else {
            return [united(whole, of: commerce, &unknownValues)]
        }
        let prices = shares(of: whole.priceMicros, commerce)
        let taxes = shares(of: whole.taxMicros, commerce)
        let common = commonRefund(of: whole, commerce)
        let booked = BookedSeatRefunds(known, of: commerce.named)
        let shares = common.flatMap { Self.shares(of: $0, whole, among: prices, beside: booked) }
        return commerce.named.indices.map { index in
            var part = whole
            part.facts.productID = commerce.named[index].sku ?? whole.productID
            part.facts.priceMicros = prices?[index]
            part.sale.taxMicros = taxes?[index]
            let own = refund(
                of: commerce.named[index], price: prices?[index], seats: booked.staying(with: index), &unknownValues)
            let isOwned = commerce.named[index].revocationDate == nil
            part.refund = Self.sum(
                of: own, isOwned ? shares?[index] ?? common : nil, price: prices?[index],
                isOfSeats: part.facts.seats != nil)
            // No seat of what was taken back is left.
            if !isOwned, part.facts.seats != nil { part.facts.seats = 0 }
            return part
        }
    }

    /// One row for all items: their refunds one after the other.
    ///
    /// It ends when the last of them was taken back.
    private func united(
        _ whole: ObservedPeriod, of commerce: AdvancedCommerce, _ unknownValues: inout UnknownValueCounts
    ) -> ObservedPeriod {
        let prices = shares(of: whole.priceMicros, commerce)
        var parts: [RefundPart] = []
        for (index, item) in commerce.named.enumerated() {
            parts += refundParts(of: item, price: prices?[index], &unknownValues)
        }
        guard !parts.isEmpty || (whole.refund == nil && commerce.revocationDate != nil) else { return whole }
        parts.sort { $0.at < $1.at }
        var united = whole
        let ofItems = Self.refund(
            parts, revokedAt: commerce.revocationDate, price: whole.priceMicros, isOfSeats: whole.facts.seats != nil)
        let common = commonRefund(of: whole, commerce)
        united.refund = Self.sum(
            of: ofItems,
            common.flatMap {
                Self.shares(of: $0, whole, among: whole.priceMicros.map { [$0] }, beside: .none)?[0] ?? $0
            },
            price: whole.priceMicros, isOfSeats: whole.facts.seats != nil)
        // No seat is left once the last item was taken back.
        if commerce.revocationDate != nil, united.facts.seats != nil { united.facts.seats = 0 }
        return united
    }

    /// A group's row whose revocation is that of one item: the others keep the seats that were not given back.
    private func withRemainingSeats(
        _ whole: ObservedPeriod, of commerce: AdvancedCommerce, readAt: Instant?
    ) -> ObservedPeriod {
        guard revocationDate != nil, whole.facts.seats != nil, let remainingSeats, remainingSeats > 0,
            commerce.revocationDate == nil, commerce.named.contains(where: { $0.revocationDate != nil })
        else { return whole }
        var remaining = whole
        remaining.facts.seats = remainingSeats
        remaining.refund = refundOfSeats(whole.sale.ownership, readAt: readAt ?? whole.sale.sourceVersion)
        return remaining
    }

    private func shares(of micros: Int64?, _ commerce: AdvancedCommerce) -> [Int64]? {
        micros.map { Shares.split($0, by: commerce.weights(ofPrice: price ?? 0)) }
    }

    /// The row's refund, where it names no item: a revocation of the row beside that of an item is the item's, and takes nothing from
    /// the others.
    private func commonRefund(of whole: ObservedPeriod, _ commerce: AdvancedCommerce) -> ObservedPeriod.Refund? {
        let isOfAnItem = commerce.named.contains { $0.revocationDate != nil }
        return whole.refund.flatMap { $0.leavesPeriod || !isOfAnItem ? $0 : nil }
    }

    /// Shared among what was not revoked, in proportion to the prices; nil where no amount is known: each has the same.
    private static func shares(
        of refund: ObservedPeriod.Refund, _ whole: ObservedPeriod, among prices: [Int64]?,
        beside booked: BookedSeatRefunds
    ) -> [ObservedPeriod.Refund]? {
        guard let prices, let amount = amount(of: refund, whole) else { return nil }
        let isPartial = RefundAmount.isPartial(thousandthsOfPercent: refund.thousandthsOfPercent)
        return zip(prices, booked.shares(of: amount, by: prices)).map { own, share in
            let micros = min(own, share)
            return ObservedPeriod.Refund(
                at: refund.at, kind: RefundAmount.kind(ofSum: micros, price: own), micros: micros,
                source: isPartial ? .derived : refund.source, isGrowing: refund.isGrowing,
                leavesPeriod: refund.leavesPeriod)
        }
    }

    /// An item's own refunds and its share of the row's: together never more than its price.
    private static func sum(
        of own: ObservedPeriod.Refund?, _ shared: ObservedPeriod.Refund?, price: Int64?, isOfSeats: Bool
    ) -> ObservedPeriod.Refund? {
        guard let own, let shared else { return own ?? shared }
        guard shared.kind != .revoke else { return own.taken(back: shared.at) }
        guard let first = own.micros, let more = shared.micros, let price else { return own }
        let sum = min(price, first + more)
        let known = own.parts.isEmpty ? [RefundPart(at: own.at, micros: first)] : own.parts
        guard !shared.isGrowing else {
            return ObservedPeriod.Refund(
                at: end(of: own, shared), kind: RefundAmount.kind(ofSum: sum, price: price), micros: sum, parts: known,
                source: shared.source, isGrowing: true, leavesPeriod: own.leavesPeriod && shared.leavesPeriod)
        }
        let rest = sum > first ? [RefundPart(at: shared.at, micros: sum - first)] : []
        // What has no rest was taken away all the same; where there are seats, that none is left says so.
        let isTakenWithoutRest = rest.isEmpty && !shared.leavesPeriod && !isOfSeats
        return ObservedPeriod.Refund(
            at: end(of: own, shared), kind: RefundAmount.kind(ofSum: sum, price: price), micros: sum,
            parts: isTakenWithoutRest ? known.map(\.withTheItem) : known + rest, source: shared.source,
            leavesPeriod: own.leavesPeriod && shared.leavesPeriod)
    }

    /// A revocation is the end, on whatever day money went back; where there is none, the last sum has the date.
    private static func end(of own: ObservedPeriod.Refund, _ shared: ObservedPeriod.Refund) -> Instant {
        guard own.leavesPeriod == shared.leavesPeriod else { return own.leavesPeriod ? shared.at : own.at }
        return max(own.at, shared.at)
    }

    /// The store's amount, its share of the price, or the whole price; nil where no money went back, or none is known.
    private static func amount(of refund: ObservedPeriod.Refund, _ whole: ObservedPeriod) -> Int64? {
        guard refund.kind != .revoke, let price = whole.priceMicros else { return nil }
        if let micros = refund.micros { return micros }
        guard let share = refund.thousandthsOfPercent else { return price }
        return RefundAmount.micros(of: price, thousandthsOfPercent: share, currency: whole.currency)
    }
}

extension TransactionPayload {
    /// What was given back of an item, and whether it was taken away; nil where neither happened.
    ///
    /// `seats`: what went back for some of its seats before it was taken away, of which the store says nothing any more.
    private func refund(
        of item: AdvancedCommerce.Item, price: Int64?, seats: Int64, _ unknownValues: inout UnknownValueCounts
    ) -> ObservedPeriod.Refund? {
        let parts = refundParts(of: item, price: price.map { max(0, $0 - seats) }, &unknownValues)
        let own = Self.refund(parts, revokedAt: item.revocationDate, price: price, isOfSeats: multiSeat != nil)
        return seats > 0 && item.isGivenBack ? own?.added(to: seats, parts, price: price) : own
    }

    /// An item that is still owned lost money only; of one that was taken away the refund is its end.
    ///
    /// Seats that went with it are no fewer before: what was given back until then is money alone.
    private static func refund(
        _ parts: [RefundPart], revokedAt: Int64?, price: Int64?, isOfSeats: Bool
    ) -> ObservedPeriod.Refund? {
        let revoked = Instant(storeMilliseconds: revokedAt)
        guard let last = parts.last else {
            return revoked.map { ObservedPeriod.Refund(at: $0, kind: .revoke) }
        }
        let sum = RefundAmount.sum(parts)
        let kind = RefundAmount.kind(ofSum: sum, price: price)
        guard let revoked else {
            return ObservedPeriod.Refund(
                at: last.at, kind: kind, micros: sum,
                parts: parts.map(\.alone),
                leavesPeriod: true)
        }
        // The money is of its own days, the end is the revocation's.
        let isOfItsDay = parts.count == 1 && last.at == revoked
        return ObservedPeriod.Refund(
            at: revoked, kind: kind, micros: sum,
            parts: isOfItsDay ? [] : parts.map { isOfSeats && $0.at < revoked ? $0.alone : $0 })
    }

    /// Each refund of an item on its own day, together never more than its price.
    private func refundParts(
        of item: AdvancedCommerce.Item, price: Int64?, _ unknownValues: inout UnknownValueCounts
    ) -> [RefundPart] {
        var left = price ?? 0
        return item.refunds.compactMap(\.self).sorted { ($0.date ?? 0) < ($1.date ?? 0) }.compactMap { refund in
            if let type = refund.type, !["FULL", "PRORATED", "CUSTOM"].contains(type) {
                unknownValues.note("transaction.refundType=\(type)")
            }
            let amount = refund.amount.flatMap(Money.micros(milliunits:)) ?? (refund.type == "FULL" ? left : nil)
            guard let amount, amount >= 0,
                let at = Instant(storeMilliseconds: refund.date ?? item.revocationDate ?? revocationDate)
            else {
                unknownValues.note("transaction.refund without amount or date")
                return nil
            }
            let micros = min(amount, left)
            left -= micros
            return micros > 0 ? RefundPart(at: at, micros: micros) : nil
        }
    }
}

extension ObservedPeriod.Refund {
    /// The item was taken away with money: what went back for some of its seats before stays where it is booked.
    fileprivate func added(to seats: Int64, _ parts: [RefundPart], price: Int64?) -> ObservedPeriod.Refund {
        let sum = seats + RefundAmount.sum(parts)
        return ObservedPeriod.Refund(
            at: at, kind: RefundAmount.kind(ofSum: sum, price: price), micros: sum,
            parts: parts.map { $0.at < at ? $0.alone : $0 }, source: .derived, isGrowing: true)
    }

    /// The row was taken away later without money: what was given back before stays given back.
    fileprivate func taken(back instant: Instant) -> ObservedPeriod.Refund {
        let known = parts.isEmpty ? micros.map { [RefundPart(at: at, micros: $0)] } ?? [] : parts
        return ObservedPeriod.Refund(at: instant, kind: .revoke, micros: micros, parts: known, source: source)
    }
}

extension RefundPart {
    /// The same, where what it is of was taken away.
    fileprivate var withTheItem: RefundPart { RefundPart(at: at, micros: micros, taxMicros: taxMicros) }
    /// The same, while what it is of is still owned.
    fileprivate var alone: RefundPart {
        RefundPart(at: at, micros: micros, taxMicros: taxMicros, isMoneyOnly: true)
    }
}
