// SPDX-License-Identifier: Apache-2.0

extension PlayToken {
    /// Where a purchase stands at an instant, in the words of the canonical tables; nil before it was bought.
    func status(at now: Int64, in app: SimulatedApp) -> DisclosedStatus? {
        guard let moment = moment(at: now), let main = moment.mainItem else { return nil }
        // What the store calls renewed stands on its new order, settled or not.
        let newest = orders.last { ($0.isSettled(at: now) || $0.id == main.latestOrderID) && !$0.isForAddOn }
        let productID = main.product.identifier(in: app.bundleID)
        let knowsItems = app.play?.api == .v2
        // What takes another one's place later is not theirs yet.
        let owned = moment.items.filter { $0.latestOrderID != nil }
        var booked = BookedSubscription(
            appID: app.id, originalTransactionID: token, state: state(of: moment, newest: newest),
            autoRenew: moment.items.contains(where: \.goesOn), productID: productID, expiresAt: main.expiresAt,
            items: knowsItems && owned.count > 1 ? owned.map { BookedSubscription.Item($0, in: app) } : [],
            linkedTo: linkedToken)
        if !isPrepaid {
            booked.autoRenewProductID = main.deferredProduct?.identifier(in: app.bundleID) ?? productID
        }
        var status = DisclosedStatus(subscription: booked, at: now, orderID: newest?.id ?? main.latestOrderID)
        status.setEnd(of: moment, newest: newest)
        status.setGrace(of: newest)
        if carriedOnBy != nil { status.isCutShort = false }
        if knowsItems {
            status.setRenewal(of: moment, owned.isEmpty ? moment.items : owned, isOnCode: isByCode(newest))
        }
        // The old interface shows no price change of a purchase that has ended.
        if knowsItems, status.subscription.endReason == .involuntary, main.awaitsConsent {
            status.subscription.endReason = .price
        }
        return status
    }

    /// A code counts for the first order alone.
    func isByCode(_ order: PlayOrder?) -> Bool { promotionCode != nil && order != nil && order?.id == orders.first?.id }

    private func state(of moment: PlayMoment, newest: PlayOrder?) -> BookedSubscription.State {
        let running: BookedSubscription.State = newest?.isTrial == true ? .trial : .active
        return switch moment.state {
        case .pending: .pending
        case .active: running
        case .grace: .grace
        case .hold: .billingRetry
        case .paused: .paused
        case .canceled: (moment.mainItem?.expiresAt ?? 0) > moment.at ? running : .expired
        case .expired, .pendingCanceled: .expired
        }
    }
}

extension DisclosedStatus {
    /// Why it ended; a refund of what was paid last wins over what the store calls the cancellation.
    fileprivate mutating func setEnd(of moment: PlayMoment, newest: PlayOrder?) {
        guard subscription.state == .expired else { return }
        switch moment.cancellation {
        case .user: subscription.endReason = .voluntary
        case .system: subscription.endReason = .involuntary
        case .developer: subscription.endReason = .developer
        case .replacement: subscription.endReason = .replaced
        case nil: subscription.endReason = .unknown
        }
        isCutShort = subscription.endReason == .replaced && subscription.expiresAt < (newest?.serviceEnd ?? 0)
        if newest?.isWhollyRefunded(at: at) == true {
            (subscription.state, subscription.endReason) = (.revoked, .refund)
            revokedAt = subscription.expiresAt
        }
    }

    /// Play moves the expiry while it waits for the money; what was paid for ends where it always did.
    fileprivate mutating func setGrace(of newest: PlayOrder?) {
        let isUnpaid =
            subscription.state == .grace || subscription.state == .billingRetry
            || (subscription.state == .expired && subscription.endReason == .involuntary)
        guard isUnpaid, let end = newest?.serviceEnd, subscription.expiresAt > end else { return }
        graceEndsAt = subscription.expiresAt
        subscription.expiresAt = end
        if subscription.state == .grace { subscription.graceExpiresAt = graceEndsAt }
    }
}

extension BookedSubscription.Item {
    fileprivate init(_ item: PlayMoment.Item, in app: SimulatedApp) {
        self.init(
            productID: item.product.identifier(in: app.bundleID), expiresAt: item.expiresAt, autoRenew: item.goesOn,
            latestTransactionID: item.latestOrderID)
    }
}

extension BookedSubscription {
    /// Nothing is known of it but what its app handed in, whose times have no parts of a second.
    init(unreachable token: PlayToken, in app: SimulatedApp) {
        let (product, expiresAt) = token.atFirst
        self.init(
            appID: app.id, originalTransactionID: token.token, state: .unreachable,
            productID: product.identifier(in: app.bundleID),
            expiresAt: (expiresAt ?? 0) / CivilTime.second * CivilTime.second)
    }
}

/// What each order is in the line of its customer, by the life and not by anything a reader could derive.
extension PlayCustomer {
    /// An add-on is a line of its own; the other products of an order share its place.
    func periodClass(of order: PlayOrder, line index: Int, in token: PlayToken) -> PeriodClass {
        if order.isOneTime { return PeriodClass(kind: .oneTime) }
        if order.isTrial { return PeriodClass(kind: .trial) }
        if token.isPrepaid { return PeriodClass(kind: .topUp) }
        let earlier = token.orders.prefix { $0.id != order.id }.filter { $0.processedAt != nil }
        if order.lines[index].product == .addonMonthly {
            let isNew = !earlier.contains { $0.lines.contains { $0.product == .addonMonthly } }
            return PeriodClass(kind: isNew ? .purchase : .renewal)
        }
        let own = earlier.filter { !$0.isForAddOn }
        let line = ancestors(of: token).flatMap(\.orders).filter { $0.processedAt != nil } + own
        guard let previous = line.last, line.contains(where: \.isPaid) else {
            let follows = line.last.map { order.serviceStart - $0.serviceEnd <= CivilTime.day } ?? false
            return PeriodClass(kind: .purchase, isTrialConversion: follows)
        }
        if own.isEmpty, token.expiredToken != nil { return PeriodClass(kind: .resubscribe) }
        if previous.mainProduct == order.mainProduct { return PeriodClass(kind: .renewal) }
        return PeriodClass(kind: change(from: previous, to: order))
    }

    /// By what whole periods of the two plans cost.
    private func change(from previous: PlayOrder, to next: PlayOrder) -> BookedTransaction.Kind {
        guard let old = previous.lines.first, let new = next.lines.first, old.totalMicros > 0, new.totalMicros > 0
        else { return .crossgrade }
        return PeriodClass.change(
            from: (old.product.term, market.rated(old)), to: (new.product.term, market.rated(new)))
    }
}

extension Market {
    /// What a whole period of the plan costs, tax included: what was charged for a part of one says nothing of that, and
    /// the list says it without the tax where prices are shown so.
    func rated(_ line: PlayOrder.Line) -> Int64 {
        line.phase == .proration ? charge(forShown: line.listMicros).total : line.totalMicros
    }
}
