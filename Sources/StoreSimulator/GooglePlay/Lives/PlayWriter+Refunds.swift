// SPDX-License-Identifier: Apache-2.0

/// Money given back while the purchase goes on.
extension PlayWriter {
    /// The next period, and what is given back of this one; any other step is one of the price's.
    mutating func refund(_ step: PlayStep) {
        switch step {
        case .onePartialRefund: refundQuarters([(random.pick(1, 2), 200, 400)])
        case .twoPartialRefunds: refundQuarters([(1, 200, 400), (2, 500, 700)])
        case .refundOfOlder: refundOlder()
        // As a whole, and the customer keeps what it was for: it is in no list.
        case .refundWithoutRevoke:
            let at = instant(from: 200, to: 400)
            let processedAt = at + random.hours(1...4)
            amendNewestOrder { $0.refund(at: processedAt, requestedAt: at) }
            renew()
        // The add-on alone, which is taken away; what it was bought with goes on.
        case .addOnRefunded:
            let at = instant(from: 200, to: 500)
            amendNewestOrder { order in
                guard let line = order.lines.first(where: { $0.product == .addonMonthly }) else { return }
                order.refund(line.totalMicros, tax: line.taxMicros, of: line.product, at: at, requestedAt: at)
            }
            dropAddOn(at: at) { ($0.expiresAt, $0.renews) = (at, false) }
        default: changePrice(step)
        }
    }

    /// Quarters of the running order's money, each given back some hours after it was asked for.
    private mutating func refundQuarters(_ parts: [(quarters: Int64, from: Int64, to: Int64)]) {
        for part in parts {
            let at = instant(from: part.from, to: part.to)
            let processedAt = at + random.hours(1...4)
            amendNewestOrder {
                $0.refund(
                    $0.totalMicros / 4 * part.quarters, tax: $0.taxMicros / 4 * part.quarters, at: processedAt,
                    requestedAt: at)
            }
        }
        renew()
    }

    /// The order before the newest one is given back as a whole while the purchase goes on: it is in no list.
    private mutating func refundOlder() {
        guard let old = paid else { return }
        renew()
        let latest = min(instant(from: 900, to: 900), (old.processedAt ?? 0) + 55 * CivilTime.day)
        let at = present + random.duration(from: CivilTime.hour, to: latest - present)
        let processedAt = at + random.hours(1...10)
        amend { token in
            guard let index = token.orders.firstIndex(where: { $0.id == old.id }) else { return }
            token.orders[index].refund(at: processedAt, requestedAt: at)
        }
    }

    mutating func amendNewestOrder(_ change: (inout PlayOrder) -> Void) {
        amend { change(&$0.orders[$0.orders.count - 1]) }
    }
}

extension PlayOrder {
    /// A part of it; `product`: the one that is taken back alone.
    mutating func refund(
        _ micros: Int64, tax: Int64, of product: Product? = nil, at instant: Int64, requestedAt: Int64
    ) {
        refunds.append(
            Refund(
                requestedAt: requestedAt, processedAt: instant, micros: micros, taxMicros: tax, isWhole: false,
                product: product))
    }

    /// Everything that was not given back yet.
    mutating func refund(at instant: Int64, requestedAt: Int64, isChargeback: Bool = false) {
        refunds.append(
            Refund(
                requestedAt: requestedAt, processedAt: instant,
                micros: totalMicros - refunds.map(\.micros).reduce(0, +),
                taxMicros: taxMicros - refunds.map(\.taxMicros).reduce(0, +), isWhole: true, isChargeback: isChargeback)
        )
    }
}
