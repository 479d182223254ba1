// SPDX-License-Identifier: Apache-2.0

/// What the store says of the payments to come.
extension DisclosedStatus {
    /// Until when payments were promised, where the customer left such a plan; and what the next one will be, where the running
    /// period was sold for less or for a part of one.
    ///
    /// `items`: what the customer has.
    mutating func setRenewal(of moment: PlayMoment, _ items: [PlayMoment.Item], isOnCode: Bool) {
        let isRunning = subscription.state != .expired && subscription.state != .revoked
        if let plan = moment.mainItem?.instalments, plan.isCancellationPending, isRunning || plan.remaining == 0 {
            subscription.committedUntil = CivilTime.adding(months: Int64(plan.remaining), to: subscription.expiresAt)
        }
        guard isOnCode || items.contains(where: { $0.phase != .base }) else { return }
        let renewing = items.filter { $0.goesOn && $0.deferredProduct == nil }
        let prices = renewing.compactMap(\.recurringMicros)
        if !prices.isEmpty, prices.count == renewing.count { subscription.renewalMicros = prices.reduce(0, +) }
    }
}

extension BookedSubscription {
    /// Prices are in the currency of the market.
    func renewing(in market: Market) -> BookedSubscription {
        var booked = self
        booked.renewalCurrency = renewalMicros.map { _ in market.currency }
        return booked
    }
}
