// SPDX-License-Identifier: Apache-2.0

/// Access that the store takes away without giving money back.
extension RareCustomerPlan {
    /// The second month gives way to a bundle, which is a subscription of its own and names the one it took the place of.
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
            writer.takeBack(extent, reason: reason, at: writer.instant(in: writer.current, from: 300, to: 600))
        }
    }
}
