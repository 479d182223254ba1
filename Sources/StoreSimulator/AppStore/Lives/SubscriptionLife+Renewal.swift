// SPDX-License-Identifier: Apache-2.0

/// What the store means to do at the end of the running period.
extension SubscriptionLife {
    /// Within a commitment the next month is paid whatever the customer chose for its end.
    func renewsNext(_ status: SubscriptionStatus) -> Bool {
        let isOwed = periods[status.periodIndex].commitment.map { !$0.isLast } ?? false
        return status.autoRenew || isOwed
    }

    /// When a commitment that was cancelled ends; nil where there is none, it was not cancelled, or the money of a month was given
    /// back before.
    func commitmentEnd(_ status: SubscriptionStatus, at now: Int64) -> Int64? {
        guard !status.autoRenew, let commitment = periods[status.periodIndex].commitment else { return nil }
        if let refund = takenBack(status.periodIndex, at: now), refund.at < commitment.expiresAt { return nil }
        return commitment.expiresAt
    }

    /// What the next period will cost, of several seats or items all of them; nil where it will not come, or the store forgot it.
    func renewalPrice(_ status: SubscriptionStatus, at now: Int64, in market: Market) -> Int64? {
        guard renewsNext(status) else { return nil }
        let period = periods[status.periodIndex]
        if period.commerce != nil {
            let prices = period.itemsHeld(at: now).map(\.priceMilliunits)
            return prices.contains(nil) ? nil : prices.compactMap(\.self).reduce(0, +)
        }
        if let seats = seatsRunning(at: now) {
            return seats.tiers.map { $0.priceMilliunits * $0.quantity }.reduce(0, +)
        }
        let isAsBefore = period.offer == nil && status.autoRenewProductID == period.productID
        return isAsBefore ? period.priceMilliunits : priceWithout(period.offer, after: status, in: market)
    }

    /// All seats of the newest period, those bought within it too; nil where it has none.
    func seatsRunning(at now: Int64) -> Seats? {
        let known = periods.filter { $0.createdAt <= now }
        guard let newest = known.last, var seats = newest.seats else { return nil }
        seats.tiers = known.filter { $0.expiresAt == newest.expiresAt }.flatMap { $0.seats?.tiers ?? [] }
        return seats
    }

    /// An offer that lasts several periods goes on; after it, and for another product, the price is that of the list.
    private func priceWithout(_ offer: Offer?, after status: SubscriptionStatus, in market: Market) -> Int64? {
        let next = periods.indices.contains(status.periodIndex + 1) ? periods[status.periodIndex + 1] : nil
        if let next, let offer, next.offer == offer, next.reason == .renewal { return next.priceMilliunits }
        let named = Product.ofAppStore.filter { status.autoRenewProductID.hasSuffix(".\($0.name)") }
        return named.max { $0.name.count < $1.name.count }.map { market.appStorePrice(of: $0) }
    }
}
