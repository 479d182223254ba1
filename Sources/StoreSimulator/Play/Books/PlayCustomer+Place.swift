// SPDX-License-Identifier: Apache-2.0

/// What each order is in the line of its customer, by the story and not by anything a reader could derive.
extension PlayCustomer {
    struct Place: Hashable {
        var kind: BookedTransaction.Kind
        var isTrialConversion = false
    }

    /// The products of one order share its place.
    func place(of order: PlayOrder, in token: PlayToken) -> Place {
        if order.isTrial { return Place(kind: .trial) }
        if token.isPrepaid { return Place(kind: .topUp) }
        let own = token.orders.prefix { $0.id != order.id }.filter { $0.processedAt != nil }
        let line = ancestors(of: token).flatMap(\.orders).filter { $0.processedAt != nil } + own
        guard let previous = line.last, line.contains(where: \.isPaid) else {
            let follows = line.last.map { order.serviceStart - $0.serviceEnd <= CivilTime.day } ?? false
            return Place(kind: .purchase, isTrialConversion: follows)
        }
        if previous.mainProduct == order.mainProduct { return Place(kind: .renewal) }
        return Place(kind: direction(from: previous, to: order))
    }

    /// By the value of a month of each.
    private func direction(from previous: PlayOrder, to next: PlayOrder) -> BookedTransaction.Kind {
        guard let old = previous.lines.first, let new = next.lines.first else { return .crossgrade }
        let before = old.product.term.monthlyValue(of: old.totalMicros)
        let after = new.product.term.monthlyValue(of: new.totalMicros)
        return before == after ? .crossgrade : before < after ? .upgrade : .downgrade
    }
}
