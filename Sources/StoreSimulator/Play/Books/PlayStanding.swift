// SPDX-License-Identifier: Apache-2.0

/// Where a purchase stands at an instant, in the words of the canonical tables.
struct PlayStanding: Hashable, Sendable {
    var state: BookedSubscription.State
    var productID: String
    var autoRenew: Bool
    var autoRenewProductID: String?
    var expiresAt: Int64
    /// The end of the time that the store gave beyond what was paid for.
    var graceEndsAt: Int64?
    var endReason: EndReason?
    /// When access was taken away with the money given back.
    var revokedAt: Int64?
    var items: [BookedSubscription.Item]
    /// The newest settled order.
    var orderID: String?
    /// The store says that another purchase took its place before it ran out.
    var isCutShort: Bool
}

extension PlayToken {
    /// Nil before it was bought.
    func standing(at now: Int64, in app: SimulatedApp) -> PlayStanding? {
        guard let moment = moment(at: now), let main = moment.mainItem else { return nil }
        let newest = orders.last { $0.isSettled(at: now) && !$0.isForAddOn }
        let productID = main.product.identifier(in: app.bundleID)
        let knowsItems = app.play?.api == .v2
        // What takes another one's place later is not theirs yet.
        let owned = moment.items.filter { $0.latestOrderID != nil }
        var standing = PlayStanding(
            state: state(of: moment, newest: newest), productID: productID,
            autoRenew: moment.items.contains(where: \.goesOn), autoRenewProductID: nil, expiresAt: main.expiresAt,
            items: knowsItems && owned.count > 1 ? owned.map { BookedSubscription.Item($0, in: app) } : [],
            orderID: newest?.id ?? main.latestOrderID, isCutShort: false)
        if !isPrepaid {
            standing.autoRenewProductID = main.deferredProduct?.identifier(in: app.bundleID) ?? productID
        }
        standing.tellEnd(of: moment, newest: newest, at: now)
        standing.tellGrace(of: newest)
        if carriedOnBy != nil { standing.isCutShort = false }
        // The old interface tells no price change of a purchase that has ended.
        if knowsItems, standing.endReason == .involuntary, main.awaitsConsent { standing.endReason = .price }
        return standing
    }

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

extension PlayStanding {
    /// Why it ended; a refund of what was paid last wins over what the store calls the cancellation.
    fileprivate mutating func tellEnd(of moment: PlayMoment, newest: PlayOrder?, at now: Int64) {
        guard state == .expired else { return }
        switch moment.cancellation {
        case .user: endReason = .voluntary
        case .system: endReason = .involuntary
        case .developer: endReason = .developer
        case .replacement: endReason = .replaced
        case nil: endReason = .unknown
        }
        isCutShort = endReason == .replaced && expiresAt < (newest?.serviceEnd ?? 0)
        if newest?.isWhollyRefunded(at: now) == true {
            state = .revoked
            endReason = .refund
            revokedAt = expiresAt
        }
    }

    /// Play moves the expiry while it waits for the money; what was paid for ends where it always did.
    fileprivate mutating func tellGrace(of newest: PlayOrder?) {
        let isUnpaid = state == .grace || state == .billingRetry || (state == .expired && endReason == .involuntary)
        guard isUnpaid, let end = newest?.serviceEnd, expiresAt > end else { return }
        graceEndsAt = expiresAt
        expiresAt = end
    }
}

extension BookedSubscription.Item {
    init(_ item: PlayMoment.Item, in app: SimulatedApp) {
        self.init(
            productID: item.product.identifier(in: app.bundleID), expiresAt: item.expiresAt, autoRenew: item.goesOn,
            latestTransactionID: item.latestOrderID)
    }
}

extension BookedSubscription {
    init(_ standing: PlayStanding, of token: PlayToken, in app: SimulatedApp) {
        self.init(
            appID: app.id, originalTransactionID: token.token, state: standing.state, autoRenew: standing.autoRenew,
            autoRenewProductID: standing.autoRenewProductID, productID: standing.productID,
            expiresAt: standing.expiresAt, graceExpiresAt: standing.state == .grace ? standing.graceEndsAt : nil,
            endReason: standing.endReason, items: standing.items, linkedTo: token.linkedToken)
    }
}

extension BookedSubscription {
    /// Nothing is known of it but what its app handed in, whose times have no parts of a second.
    init(unreachable token: PlayToken, in app: SimulatedApp) {
        let (product, expiresAt) = token.atFirst
        self.init(
            appID: app.id, originalTransactionID: token.token, state: .unreachable, autoRenew: nil,
            autoRenewProductID: nil, productID: product.identifier(in: app.bundleID),
            expiresAt: (expiresAt ?? 0) / CivilTime.second * CivilTime.second, graceExpiresAt: nil, endReason: nil)
    }
}
