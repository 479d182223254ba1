// SPDX-License-Identifier: Apache-2.0

/// What Play customers buy once, beside their subscriptions: written from a chance of its own, so that no life depends on it.
enum PlaySales {
    /// What becomes of a sale.
    fileprivate enum Fate: CaseIterable {
        case kept, unitGivenBack, givenBack, pendingThenPaid, pendingThenCancelled, chargedBack
        /// As a whole, and the customer keeps it: it is in no list, and nothing tells of it.
        case givenBackAndKept
        /// The store calls it bought a day or two before it has settled its order.
        case settledLate
    }

    /// Every eighth customer buys one thing.
    static func sale(number: Int, market: Market, span: LifeSpan, random: SeededGenerator) -> PlayToken? {
        guard number % 8 == 3 else { return nil }
        var random = random
        let fate = Fate.allCases[number / 8 % Fate.allCases.count]
        let at =
            span.daylight(random.value(in: -20...40), LifeSpan.timeOfDay(&random))
        guard at < span.horizon else { return nil }
        let digits = (0..<17).map { _ in String(random.value(in: 0...9)) }.joined()
        let name = (0..<32).map { _ in String(random.value(in: 0...9)) }.joined()
        var token = PlayToken(token: "once-\(name).AO-J1O", startedAt: at)
        token.isOneTime = true
        let order = order(
            of: fate, at: at,
            id: "GPA.1\(digits.prefix(3))-\(digits.dropFirst(3).prefix(4))-"
                + "\(digits.dropFirst(7).prefix(4))-\(digits.dropFirst(11).prefix(4))0", in: market, &random)
        token.orders = [order]
        token.moments = moments(of: order, from: at, isBoughtAtOnce: fate == .settledLate)
        return token
    }

    private static func order(
        of fate: Fate, at: Int64, id: String, in market: Market, _ random: inout SeededGenerator
    ) -> PlayOrder {
        let product: Product = fate == .unitGivenBack ? .coins : random.pick(.coins, .lifetime)
        let quantity: Int64 = fate == .unitGivenBack ? random.pick(2, 4) : 1
        let list = market.playPrice(of: product)
        let price = market.charge(forShown: list * quantity)
        let line = PlayOrder.Line(
            product: product, phase: .base, listMicros: list, totalMicros: price.total, taxMicros: price.tax)
        let settledAt = at + random.hours(20...60)
        let isPending = [.pendingThenPaid, .pendingThenCancelled, .settledLate].contains(fate)
        let paidAt = isPending ? settledAt : at
        var order = PlayOrder(
            id: id, createdAt: at, processedAt: fate == .pendingThenCancelled ? nil : paidAt,
            canceledAt: fate == .pendingThenCancelled ? settledAt : nil, lines: [line], serviceStart: paidAt,
            serviceEnd: paidAt,
            revenueMicros: fate == .pendingThenCancelled ? nil : market.revenue(ofTotal: price.total, tax: price.tax))
        order.quantity = quantity
        order.refund(
            fate == .unitGivenBack ? 1 : quantity, fate: fate, at: at + random.value(in: 2...18) * CivilTime.day)
        return order
    }

    private static func moments(of order: PlayOrder, from at: Int64, isBoughtAtOnce: Bool) -> [PlayMoment] {
        let moment = { (at: Int64, state: PlayMoment.State) in
            PlayMoment(
                at: at, state: state,
                items: [.init(product: order.mainProduct, expiresAt: at, renews: false, phase: .base)])
        }
        guard order.processedAt != at, !isBoughtAtOnce else { return [moment(at, .active)] }
        let settled = order.processedAt ?? order.canceledAt ?? at
        return [moment(at, .pending), moment(settled, order.processedAt == nil ? .pendingCanceled : .active)]
    }
}

extension PlayOrder {
    /// Units that are given back: some of them, or all with the purchase.
    fileprivate mutating func refund(_ units: Int64, fate: PlaySales.Fate, at instant: Int64) {
        guard [.unitGivenBack, .givenBack, .chargedBack, .givenBackAndKept].contains(fate) else { return }
        let isChargeback = fate == .chargedBack
        if units < quantity {
            refund(
                totalMicros / quantity * units, tax: taxMicros / quantity * units, at: instant, requestedAt: instant)
        } else {
            refund(at: instant, requestedAt: instant, isChargeback: isChargeback)
        }
        guard fate != .givenBackAndKept else { return }
        void = Void(
            at: instant, seenAt: instant + 5 * CivilTime.hour, source: isChargeback ? 2 : 1,
            reason: isChargeback ? 7 : 1,
            quantity: units < quantity ? units : nil)
    }
}
