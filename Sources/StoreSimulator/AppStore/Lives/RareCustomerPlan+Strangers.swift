// SPDX-License-Identifier: Apache-2.0

/// Customers that their reader meets in an unusual way.
extension RareCustomerPlan {
    /// Known to the backend only by the id of what was its newest renewal.
    mutating func lateComer() -> CustomerLife {
        let market = market()
        let (bought, handedIn) = (start() - 50 * CivilTime.day, start())
        var life = endlessLife(.weekly, from: bought, in: market)
        let newest = life.periods.lastIndex { $0.createdAt <= handedIn } ?? 0
        life.lateHandIn = .init(at: handedIn, newest)
        return customer(market, [life])
    }

    /// A lasting thing and some coins; of every other customer the first is refunded.
    mutating func buyerOfSales() -> CustomerLife {
        let (market, start) = (market(), start())
        let kinds: [SaleKind] = [.nonConsumable, .consumable]
        var sales = kinds.enumerated().map { place, kind in
            sale(of: kind, at: start + Int64(place) * 3 * CivilTime.day, in: market)
        }
        if number.isMultiple(of: 2) {
            sales[0].refund = Refund(at: start + random.days(5...15), extent: .full, reason: 1)
        }
        return customer(market, [], sales: sales)
    }

    /// In pages of one row: more of them than a night reads. Everything was bought before the first night looked, and
    /// nothing renews until the second one has.
    mutating func hoarder() -> CustomerLife {
        let market = market()
        let start = span.firstNight - random.value(in: 10...14) * CivilTime.day + 6 * CivilTime.hour
        let life = endlessLife(.monthly, from: start, in: market)
        let sales = (0..<Self.hoard).map { place in
            sale(of: .consumable, at: start + Int64(place + 1) * 20 * CivilTime.minute, in: market)
        }
        var customer = customer(market, [life], sales: sales)
        customer.historyPage = 1
        return customer
    }

    private mutating func sale(of kind: SaleKind, at instant: Int64, in market: Market) -> Period {
        .sale(
            transactionID: identifiers.transaction(), productID: "\(app.bundleID).\(kind.productName)", kind: kind,
            purchasedAt: instant, priceMilliunits: market.appStorePrice(of: kind, quantity: 1))
    }

    /// With the subscription more than the 250 pages that a night reads, and fewer than two nights do.
    private static var hoard: Int { 280 }
}
