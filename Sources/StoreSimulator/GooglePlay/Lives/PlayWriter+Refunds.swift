// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// Quarters of the running order's money, each given back some hours after it was asked for.
    mutating func refundQuarters(_ parts: [(quarters: Int64, from: Int64, to: Int64)]) {
        for part in parts {
            let at = instant(from: part.from, to: part.to)
            let processedAt = at + random.duration(from: CivilTime.hour, to: 4 * CivilTime.hour)
            amendNewestOrder {
                $0.giveBack(
                    $0.totalMicros / 4 * part.quarters, tax: $0.taxMicros / 4 * part.quarters, at: processedAt,
                    requestedAt: at)
            }
        }
        renew()
    }

    /// The order before the newest one is given back as a whole while the purchase goes on: it is in no list.
    mutating func refundOlder() {
        guard let old = paid else { return }
        renew()
        let latest = min(instant(from: 900, to: 900), (old.processedAt ?? 0) + 55 * CivilTime.day)
        let at = present + random.duration(from: CivilTime.hour, to: latest - present)
        let processedAt = at + random.duration(from: CivilTime.hour, to: 10 * CivilTime.hour)
        amend { token in
            guard let index = token.orders.firstIndex(where: { $0.id == old.id }) else { return }
            token.orders[index].giveBack(at: processedAt, requestedAt: at)
        }
    }

    /// The running order is given back as a whole, and the customer keeps what it was for: it is in no list.
    mutating func refundAndGoOn() {
        let at = instant(from: 200, to: 400)
        let processedAt = at + random.duration(from: CivilTime.hour, to: 4 * CivilTime.hour)
        amendNewestOrder { $0.giveBack(at: processedAt, requestedAt: at) }
        renew()
    }

    /// The add-on alone is given back and taken away; what it was bought with goes on.
    mutating func refundAddOn() {
        let at = instant(from: 200, to: 500)
        amendNewestOrder { order in
            guard let line = order.lines.first(where: { $0.product == .addonMonthly }) else { return }
            order.giveBack(line.totalMicros, tax: line.taxMicros, of: line.product, at: at, requestedAt: at)
        }
        stand(.active, at: at, until: expiry) { moment in
            for index in moment.items.indices where moment.items[index].product == .addonMonthly {
                (moment.items[index].expiresAt, moment.items[index].renews) = (at, false)
            }
        }
        hasAddOn = false
        renew()
    }

    /// Access is taken away at once, and half of the money given back: only a part, so the store's word stays the reason.
    mutating func revokeProrated() {
        let at = instant(from: 300, to: 600)
        amendNewestOrder { $0.giveBack($0.totalMicros / 2, tax: $0.taxMicros / 2, at: at, requestedAt: at) }
        expire(at: at, until: at, by: .developer)
    }

    /// The app never said that it got the purchase: after three days the store takes it back.
    mutating func takeBackUnacknowledged() {
        let at = present + 3 * CivilTime.day
        amend { $0.isAcknowledged = false }
        amendNewestOrder {
            $0.giveBack(at: at, requestedAt: at)
            $0.void = PlayOrder.Void(at: at, seenAt: at + 6 * CivilTime.hour, source: 2, reason: 8)
        }
        expire(at: at, until: at, by: .system)
    }

    /// The running order is given back and access taken away at once.
    mutating func revoke(isChargeback: Bool) {
        let latest = min(instant(from: 600, to: 600), present + 50 * CivilTime.day)
        let at = present + random.duration(from: CivilTime.minute, to: latest - present)
        let seenAt = at + random.duration(from: CivilTime.hour, to: 12 * CivilTime.hour)
        amendNewestOrder {
            $0.giveBack(at: at, requestedAt: at, isChargeback: isChargeback)
            $0.void = PlayOrder.Void(
                at: at, seenAt: seenAt, source: isChargeback ? 2 : 1, reason: isChargeback ? 7 : 1)
        }
        expire(at: at, until: at, by: isChargeback ? .system : .developer)
    }

    private mutating func amendNewestOrder(_ change: (inout PlayOrder) -> Void) {
        amend { token in
            guard let last = token.orders.indices.last else { return }
            change(&token.orders[last])
        }
    }
}

extension PlayOrder {
    /// A part of it; `product`: the one that is taken back alone.
    mutating func giveBack(
        _ micros: Int64, tax: Int64, of product: Product? = nil, at instant: Int64, requestedAt: Int64
    ) {
        refunds.append(
            Refund(
                requestedAt: requestedAt, processedAt: instant, micros: micros, taxMicros: tax, isWhole: false,
                product: product))
    }

    /// Everything that was not given back yet.
    mutating func giveBack(at instant: Int64, requestedAt: Int64, isChargeback: Bool = false) {
        refunds.append(
            Refund(
                requestedAt: requestedAt, processedAt: instant,
                micros: totalMicros - refunds.map(\.micros).reduce(0, +),
                taxMicros: taxMicros - refunds.map(\.taxMicros).reduce(0, +), isWhole: true, isChargeback: isChargeback)
        )
    }
}
