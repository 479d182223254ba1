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
        let moves = isOneTime ? sales : states
        let voids = orders.compactMap { order in
            order.void.map { void in
                PlayNotification(
                    at: void.seenAt,
                    content: .voided(orderID: order.id, isOneTime: isOneTime, isOfUnits: void.quantity != nil))
            }
        }
        return (moves + voids).sorted { $0.at < $1.at }
    }

    private var sales: [PlayNotification] {
        moments.filter { $0.state != .pending }.map { moment in
            PlayNotification(
                at: moment.at,
                content: .oneTime(
                    number: moment.state == .pendingCanceled ? 2 : 1, product: orders.first?.mainProduct ?? .coins))
        }
    }

    private var states: [PlayNotification] {
        moments.indices.flatMap { index -> [PlayNotification] in
            let moment = moments[index]
            let kinds =
                index == 0 ? moment.beginning.map { [$0] } ?? [] : moment.news(after: moments[index - 1], of: self)
            return kinds.map { PlayNotification(at: moment.at, content: .subscription($0)) }
        }
    }
}

extension PlayMoment {
    /// A purchase whose first payment is awaited is published when that is settled.
    fileprivate var beginning: PlayNotification.Kind? { state == .pending ? nil : .purchased }

    fileprivate func news(after old: PlayMoment, of token: PlayToken) -> [PlayNotification.Kind] {
        switch state {
        case .active: old.state == .active ? changes(since: old) : [activation(after: old)]
        case .grace: old.state == .grace ? [] : [.inGracePeriod]
        case .hold: old.state == .hold ? [] : [.onHold]
        case .paused: [.paused]
        case .canceled: [.canceled]
        case .pendingCanceled: [.pendingPurchaseCanceled]
        case .expired: [isRevocation(of: token) ? .revoked : .expired]
        case .pending: []
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
    private func changes(since old: PlayMoment) -> [PlayNotification.Kind] {
        if mainItem?.latestOrderID != old.mainItem?.latestOrderID { return [.renewed] }
        if resumesAt != old.resumesAt { return [.pauseScheduleChanged] }
        if items.map(\.product) != old.items.map(\.product)
            || items.map(\.isToBeRemoved) != old.items.map(\.isToBeRemoved)
            || items.map(\.renews) != old.items.map(\.renews)
        {
            return [.itemsChanged]
        }
        if items.map(\.priceChange) != old.items.map(\.priceChange) { return [.priceChangeUpdated] }
        if items.map(\.stepUp) != old.items.map(\.stepUp) { return [.priceStepUpConsentUpdated] }
        if items.map(\.instalments) != old.items.map(\.instalments) { return [.cancellationScheduled] }
        return items.map(\.expiresAt) == old.items.map(\.expiresAt) ? [] : [.deferred]
    }

    private var latestOrders: [String?] { items.map(\.latestOrderID) }

    private func isRevocation(of token: PlayToken) -> Bool {
        cancellation != .replacement && token.orders.contains { $0.refunds.contains { $0.processedAt == at } }
    }
}
