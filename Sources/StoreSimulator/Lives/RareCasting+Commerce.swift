// SPDX-License-Identifier: Apache-2.0

/// Subscriptions that an app sells under names of its own, through the Advanced Commerce API.
extension RareCasting {
    /// Of the second month a sum is given back, and it goes on; of most customers the fourth is refunded whole and taken
    /// away.
    mutating func commerceCustomer() -> CustomerLife {
        let (start, storefront) = (start() - 20 * CivilTime.day, storefront())
        let generic = "\(app.bundleID).generic"
        var life = write(.monthly, in: storefront) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.renew()
            writer.renew()
            writer.renew()
            guard number % 4 != 1, let period = writer.current else { return writer.renewToTheHorizon() }
            let at = writer.instant(in: period, perMille: 400)
            writer.amend { $0.refund = Refund(at: at, extent: .full, reason: 1) }
            writer.switchAutoRenew(false, at: at)
        }
        for index in life.periods.indices { life.periods[index].commerce = Commerce(genericProductID: generic) }
        let second = life.periods[1]
        let price = storefront.price(of: .monthly)
        life.periods[1].priceMilliunits = price
        life.periods[1].commerce?.givenBack = .init(
            at: second.purchasedAt + 9 * CivilTime.day, price / 3 / 10 * 10)
        return customer(storefront, [life])
    }
}
