// SPDX-License-Identifier: Apache-2.0

/// What each order is in the line of its customer, by the story and not by anything a reader could derive.
extension PlayCustomer {
    struct Place: Hashable {
        var kind: BookedTransaction.Kind
        var isTrialConversion = false
    }

    /// An add-on is a line of its own; the other products of an order share its place.
    func place(of order: PlayOrder, line index: Int, in token: PlayToken) -> Place {
        if order.isOneTime { return Place(kind: .oneTime) }
        if order.isTrial { return Place(kind: .trial) }
        if token.isPrepaid { return Place(kind: .topUp) }
        let earlier = token.orders.prefix { $0.id != order.id }.filter { $0.processedAt != nil }
        if order.lines[index].product == .addonMonthly {
            let isNew = !earlier.contains { $0.lines.contains { $0.product == .addonMonthly } }
            return Place(kind: isNew ? .purchase : .renewal)
        }
        let own = earlier.filter { !$0.isForAddOn }
        let line = ancestors(of: token).flatMap(\.orders).filter { $0.processedAt != nil } + own
        guard let previous = line.last, line.contains(where: \.isPaid) else {
            let follows = line.last.map { order.serviceStart - $0.serviceEnd <= CivilTime.day } ?? false
            return Place(kind: .purchase, isTrialConversion: follows)
        }
        if own.isEmpty, token.expiredToken != nil { return Place(kind: .resubscribe) }
        if previous.mainProduct == order.mainProduct { return Place(kind: .renewal) }
        return Place(kind: direction(from: previous, to: order))
    }

    /// By the value of a month of each.
    private func direction(from previous: PlayOrder, to next: PlayOrder) -> BookedTransaction.Kind {
        // A period that cost nothing compares with nothing.
        guard let old = previous.lines.first, let new = next.lines.first, old.totalMicros > 0, new.totalMicros > 0
        else { return .crossgrade }
        let before = old.product.term.monthlyValue(of: market.rated(old))
        let after = new.product.term.monthlyValue(of: market.rated(new))
        return before == after ? .crossgrade : before < after ? .upgrade : .downgrade
    }
}

extension PlayMarket {
    /// What a whole period of the plan costs, tax included: what was charged for a part of one says nothing of that, and
    /// the list says it without the tax where prices are shown so.
    func rated(_ line: PlayOrder.Line) -> Int64 {
        line.phase == .proration ? charge(forShown: line.listMicros).total : line.totalMicros
    }
}
