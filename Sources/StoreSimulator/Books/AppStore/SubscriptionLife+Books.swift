// SPDX-License-Identifier: Apache-2.0

extension SubscriptionLife {
    /// How long after its expiry a receipt's subscription is waited for that says no more than that it renews itself.
    private static let patience = 48 * CivilTime.hour

    /// The subscription as a whole at an instant, in the words of the canonical tables; nil before it began.
    func booked(of customer: CustomerLife, in app: SimulatedApp, at now: Int64) -> BookedSubscription? {
        guard var status = status(at: now) else { return nil }
        let period = periods[status.periodIndex]
        if isGivenUp(status, in: app, at: now) { (status.state, status.endReason) = (.expired, .unknown) }
        let price = app.api == .server ? renewalPrice(status, at: now, in: customer.market) : nil
        return BookedSubscription(
            appID: customer.appID, originalTransactionID: originalTransactionID,
            state: status.bookedState(isTrial: isOnTrial(status.periodIndex, in: app)), autoRenew: renewsNext(status),
            autoRenewProductID: status.autoRenewProductID,
            committedUntil: app.api == .server ? commitmentEnd(status, at: now) : nil,
            renewalMicros: price.map { $0 * 1_000 },
            renewalCurrency: price.map { _ in customer.market.currency }, productID: period.productID,
            expiresAt: period.expiresAt(at: now),
            graceExpiresAt: status.graceEndsAt, endReason: status.endReason,
            items: bookedItems(of: status, at: now), linkedTo: bundle?.replaces)
    }

    /// In free time that comes before the first payment, on an offer to new customers.
    ///
    /// What a receipt does not call free was paid.
    private func isOnTrial(_ index: Int, in app: SimulatedApp) -> Bool {
        let period = periods[index]
        guard period.isTrial, period.offer?.bookedType(in: app).isForKnownCustomers != true else { return false }
        return !periods[..<index].contains { app.api == .receipts ? !$0.isTrial : $0.isPaid }
    }

    /// A receipt whose newest period is over, auto-renew on, without a reason for an end and without a retry, says that
    /// the renewal is late.
    ///
    /// Nobody waits for it longer than that.
    private func isGivenUp(_ status: SubscriptionStatus, in app: SimulatedApp, at now: Int64) -> Bool {
        app.api == .receipts && status.state == .active && renewsNext(status)
            && now >= periods[status.periodIndex].expiresAt + Self.patience
    }

    /// How a period is known to have come out, with everything known at that instant.
    func ending(of index: Int, in app: SimulatedApp, at now: Int64) -> AppStoreLineage.Ending? {
        let period = periods[index]
        // The refund of the newest period is why it ended even when the period was over: it wins over any other reason.
        if let refund = takenBack(index, at: now) {
            return AppStoreLineage.Ending(reason: refund.endReason)
        }
        guard period.expiresAt <= now else { return nil }
        switch period.ending {
        case .goesOn:
            let isOver = status(at: now).map { $0.periodIndex == index && isGivenUp($0, in: app, at: now) } ?? false
            return isOver ? AppStoreLineage.Ending(reason: .unknown) : nil
        case .expires(let intent): return AppStoreLineage.Ending(reason: intent.endReason)
        case .billing(let trouble):
            var ending = AppStoreLineage.Ending(graceEndsAt: trouble.graceEndsAt, isAwaitingPayment: true)
            switch trouble.outcome {
            case .givenUp(let at) where at <= now: ending.reason = .involuntary
            case .cancelled(let at) where at <= now: ending.reason = .voluntary
            default: if let grace = trouble.graceEndsAt, grace > now { ending.isAwaitingPayment = false }
            }
            return ending
        }
    }
}

extension SubscriptionStatus {
    fileprivate func bookedState(isTrial: Bool) -> BookedSubscription.State {
        switch state {
        case .active: isTrial ? .trial : .active
        case .expired: .expired
        case .billingRetry: .billingRetry
        case .grace: .grace
        // What gave way to a bundle was taken from nobody.
        case .revoked: endReason == .replaced ? .expired : .revoked
        }
    }
}

/// What each period is in the line of its customer, by the life and not by anything a reader could derive.
extension SubscriptionLife {
    /// A receipt gives neither prices nor why a transaction was made: whether a gap was spent in retry is known there
    /// only to who asked at the time.
    func periodClass(
        of index: Int, at now: Int64, in app: SimulatedApp, endings: [Int: AppStoreLineage.Ending]
    ) -> PeriodClass {
        let pricesAreKnown = app.api == .server
        let period = periods[index]
        if period.isTrial { return PeriodClass(kind: .trial) }
        guard index > 0 else { return PeriodClass(kind: .purchase) }
        let previous = periods[index - 1]
        let knowsRetry = pricesAreKnown || endings[index - 1]?.wasUnpaid == true
        let goesOn = goesOn(from: index - 1, to: period, at: now, knowsRetry: knowsRetry)
        let isPaid = { (other: Period) in pricesAreKnown ? other.isPaid : !other.isTrial }
        let earlier = periods[..<index]
        if isPaid(period) ? !earlier.contains(where: isPaid) : !earlier.contains(where: { !$0.isTrial }) {
            return PeriodClass(kind: .purchase, isTrialConversion: isPaid(period) && previous.isTrial && goesOn)
        }
        guard goesOn else { return PeriodClass(kind: .resubscribe) }
        guard previous.productID != period.productID else { return PeriodClass(kind: .renewal) }
        guard pricesAreKnown else { return PeriodClass(kind: .crossgrade) }
        return PeriodClass(
            kind: PeriodClass.change(
                from: (previous.term, previous.priceMilliunits), to: (period.term, period.priceMilliunits)))
    }

    /// No lapse: replaced on the spot, paid out of grace or retry, or within a day of the end.
    private func goesOn(from index: Int, to next: Period, at now: Int64, knowsRetry: Bool) -> Bool {
        let previous = periods[index]
        if previous.upgradedAt != nil { return true }
        if knowsRetry, case .billing(let trouble) = previous.ending, trouble.outcome == .recovers { return true }
        let end = min(previous.expiresAt, takenBack(index, at: now)?.at ?? previous.expiresAt)
        return next.purchasedAt - end <= CivilTime.day
    }
}
