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

    /// In pages of one row: more of them than a night reads.
    ///
    /// Everything was bought before the first night looked, and nothing renews until the second one has.
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

/// Access that the store takes away without giving money back.
extension RareCustomerPlan {
    /// The second month gives way to a bundle, which is a subscription of its own and names the one it took the place
    /// of.
    ///
    /// The store reports no price of its months.
    mutating func bundledCustomer() -> CustomerLife {
        let (start, market) = (start(), market())
        let old = revokedLife(from: start, in: market, .upgradedToBundle, reason: Refund.bundleReason)
        let switchedAt = old.periods[1].refund?.at ?? start
        var bundle = endlessLife(.premiumMonthly, from: switchedAt, in: market)
        bundle.periods.indices.forEach { bundle.periods[$0].priceMilliunits = nil }
        bundle.bundle = .init(productID: "\(app.bundleID).bundle", replaces: old.originalTransactionID)
        return customer(market, [old, bundle])
    }

    /// A bundle that is bought by itself, and the month that it includes: a row of its own for each of the bundle's, at a price that
    /// was not paid.
    mutating func customerOfBundle() -> CustomerLife {
        let (start, market) = (start(), market())
        var bundle = endlessLife(.premiumMonthly, from: start, in: market)
        bundle.isBundle = true
        var included = endlessLife(.monthly, from: start, in: market)
        included.periods = zip(included.periods, bundle.periods).map { period, whole in
            var same = period
            (same.createdAt, same.purchasedAt, same.expiresAt) = (whole.createdAt, whole.purchasedAt, whole.expiresAt)
            return same
        }
        included.includedIn = bundle.periods.map(\.transactionID)
        return customer(market, [bundle, included])
    }

    /// The second month is taken away for no reason that anybody knows.
    mutating func revokedCustomer(_ extent: Refund.Extent, reason: Int) -> CustomerLife {
        let (start, market) = (start(), market())
        return customer(market, [revokedLife(from: start, in: market, extent, reason: reason)])
    }

    private mutating func revokedLife(
        from start: Int64, in market: Market, _ extent: Refund.Extent, reason: Int
    ) -> SubscriptionLife {
        write(.monthly, in: market) { writer in
            writer.begin(.fullPrice, at: start)
            writer.renew()
            writer.refund(extent, reason: reason, at: writer.instant(in: writer.current, from: 300, to: 600))
        }
    }
}
