// SPDX-License-Identifier: Apache-2.0

/// Subscriptions that an app sells under names of its own, through the Advanced Commerce API.
extension RareCustomerPlan {
    /// Of the second month a sum is given back, and it goes on.
    mutating func commerceCustomer() -> CustomerLife {
        let (start, market) = (start() - 20 * CivilTime.day, market())
        var life = commerceLife(from: start, in: market)
        for index in life.periods.indices { life.periods[index].commerce = Commerce(genericProductID: generic) }
        let (price, at) = (market.appStorePrice(of: .monthly), life.periods[1].purchasedAt + 9 * CivilTime.day)
        life.periods[1].priceMilliunits = price
        life.periods[1].commerce?.givenBack = [.init(at: at, price / 3 / 10 * 10)]
        return customer(market, [life])
    }

    /// Three items in one subscription, the dearest of them first.
    ///
    /// Of the second month sums of two of them are given back, on three days, and everything goes on; in the third
    /// month one item is taken away with its money, and renews no more.
    mutating func itemsCustomer() -> CustomerLife {
        let (start, market) = (start() - 20 * CivilTime.day, market())
        var life = commerceLife(from: start, in: market)
        for index in life.periods.indices {
            let price = life.periods[index].priceMilliunits ?? market.appStorePrice(of: .monthly)
            let sports = Commerce.Item("\(app.bundleID).sports", priceMilliunits: price * 2 / 5 / 10 * 10)
            let travel = Commerce.Item("\(app.bundleID).travel", priceMilliunits: price / 4 / 10 * 10)
            life.periods[index].sell(price, beside: index < 3 ? [sports, travel] : [sports], as: generic)
        }
        life.periods[1].refundSums()
        life.periods[2].takeBackTheLastItem()
        return customer(market, [life])
    }

    private var generic: String { "\(app.bundleID).generic" }

    /// Of most customers the fourth month is refunded whole and taken away.
    private mutating func commerceLife(from start: Int64, in market: Market) -> SubscriptionLife {
        write(.monthly, in: market) { [number] writer in
            writer.begin(.fullPrice, at: start)
            writer.renew()
            writer.renew()
            writer.renew()
            guard number % 4 != 1 else { return writer.renewToTheHorizon() }
            writer.refund(.full, reason: 1, at: writer.instant(in: writer.current, perMille: 400))
        }
    }
}

extension Period {
    /// Its own product at that price, and others beside it.
    fileprivate mutating func sell(_ price: Int64, beside others: [Commerce.Item], as genericProductID: String) {
        var commerce = Commerce(genericProductID: genericProductID)
        commerce.besides = others
        priceMilliunits = price + others.compactMap(\.priceMilliunits).reduce(0, +)
        self.commerce = commerce
    }

    /// Two sums of the first item, and between them a share of the second; in Japan all of them whole yens.
    fileprivate mutating func refundSums() {
        let prices = items(at: createdAt).map { $0.priceMilliunits ?? 0 }
        commerce?.givenBack = [
            .init(at: purchasedAt + 5 * CivilTime.day, prices[0] / 4 / 10 * 10),
            .init(at: purchasedAt + 11 * CivilTime.day, prices[0] / 8 / 10 * 10),
        ]
        commerce?.besides[0].givenBack = [
            .init(at: purchasedAt + 8 * CivilTime.day, prices[1] / 4 / 10 * 10, .prorated)
        ]
    }

    fileprivate mutating func takeBackTheLastItem() {
        guard var item = commerce?.besides.popLast() else { return }
        let at = purchasedAt + 12 * CivilTime.day
        item.givenBack = [.init(at: at, item.priceMilliunits, .full)]
        item.takenBackAt = at
        commerce?.besides.append(item)
    }
}
