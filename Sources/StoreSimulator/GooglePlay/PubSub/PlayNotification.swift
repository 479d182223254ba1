// SPDX-License-Identifier: Apache-2.0

/// Something Google Play publishes about a purchase.
package struct PlayNotification: Hashable, Sendable {
    /// What became of a subscription, with Google's number.
    package enum Kind: Int, Hashable, Sendable, CaseIterable {
        case recovered = 1
        case renewed = 2
        case canceled = 3
        case purchased = 4
        case onHold = 5
        case inGracePeriod = 6
        case restarted = 7
        case deferred = 9
        case paused = 10
        case pauseScheduleChanged = 11
        case revoked = 12
        case expired = 13
        case itemsChanged = 17
        case cancellationScheduled = 18
        case priceChangeUpdated = 19
        case pendingPurchaseCanceled = 20
        case priceStepUpConsentUpdated = 22
    }

    package enum Content: Hashable, Sendable {
        case subscription(Kind)
        /// Something sold once, with Google's number: 1 bought, 2 a first payment that never came.
        case oneTime(number: Int, product: Product)
        /// An order was given back and access taken away, or some units of a sale.
        case voided(orderID: String, isOneTime: Bool = false, isOfUnits: Bool = false)
    }

    package var at: Int64
    package var content: Content
}

extension PlayToken {
    /// Everything that is published about it, in its order.
    package var notifications: [PlayNotification] {
        let voids = orders.compactMap { order in
            order.void.map { void in
                PlayNotification(
                    at: void.seenAt,
                    content: .voided(orderID: order.id, isOneTime: isOneTime, isOfUnits: void.quantity != nil))
            }
        }
        return ((isOneTime ? sales : states) + voids).sorted { $0.at < $1.at }
    }

    private var sales: [PlayNotification] {
        let product = orders.first?.mainProduct ?? .coins
        return moments.filter { $0.state != .pending }.map { moment in
            let number = moment.state == .pendingCanceled ? 2 : 1
            return PlayNotification(at: moment.at, content: .oneTime(number: number, product: product))
        }
    }

    private var states: [PlayNotification] {
        moments.indices.compactMap { index in
            let moment = moments[index]
            let kind = index == 0 ? moment.beginning : moment.news(after: moments[index - 1], of: self)
            return kind.map { PlayNotification(at: moment.at, content: .subscription($0)) }
        }
    }
}

extension PlayMoment {
    /// A purchase whose first payment is awaited is published when that is settled.
    fileprivate var beginning: PlayNotification.Kind? { state == .pending ? nil : .purchased }

    fileprivate func news(after old: PlayMoment, of token: PlayToken) -> PlayNotification.Kind? {
        switch state {
        case .active: old.state == .active ? change(since: old) : activation(after: old)
        case .grace: old.state == .grace ? nil : .inGracePeriod
        case .hold: old.state == .hold ? nil : .onHold
        case .paused: .paused
        case .canceled: .canceled
        case .pendingCanceled: .pendingPurchaseCanceled
        case .expired: isRevocation(of: token) ? .revoked : .expired
        case .pending: nil
        }
    }

    private func activation(after old: PlayMoment) -> PlayNotification.Kind {
        switch old.state {
        case .pending: .purchased
        case .canceled where old.latestOrders == latestOrders: .restarted
        case .hold, .paused: .recovered
        default: .renewed
        }
    }

    /// What is new of a purchase that goes on.
    private func change(since old: PlayMoment) -> PlayNotification.Kind? {
        func differ<Part: Equatable>(_ part: (Item) -> Part) -> Bool { items.map(part) != old.items.map(part) }
        if mainItem?.latestOrderID != old.mainItem?.latestOrderID { return .renewed }
        if resumesAt != old.resumesAt { return .pauseScheduleChanged }
        if differ(\.product) || differ(\.isToBeRemoved) || differ(\.renews) { return .itemsChanged }
        if differ(\.priceChange) { return .priceChangeUpdated }
        if differ(\.stepUp) { return .priceStepUpConsentUpdated }
        if differ(\.instalments) { return .cancellationScheduled }
        return differ(\.expiresAt) ? .deferred : nil
    }

    private var latestOrders: [String?] { items.map(\.latestOrderID) }

    private func isRevocation(of token: PlayToken) -> Bool {
        cancellation != .replacement && token.orders.contains { $0.refunds.contains { $0.processedAt == at } }
    }
}
