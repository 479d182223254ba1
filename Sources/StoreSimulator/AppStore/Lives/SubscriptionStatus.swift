// SPDX-License-Identifier: Apache-2.0

/// What the App Store says of a subscription as a whole at one instant.
package struct SubscriptionStatus: Hashable, Sendable {
    package enum State: Int, Hashable, Sendable {
        case active = 1
        case expired = 2
        case billingRetry = 3
        case grace = 4
        case revoked = 5
    }

    package var state: State
    /// The index of the newest period.
    package var periodIndex: Int
    package var autoRenew: Bool
    package var autoRenewProductID: String
    /// While the state is `grace`.
    package var graceEndsAt: Int64?
    /// While the state is `expired` or `billingRetry`.
    package var intent: Ending.Intent?
    /// Where it ended.
    package var endReason: EndReason?
    /// What the customer said to a price increase, while there is one.
    package var priceConsent: SubscriptionLife.PriceConsent?

    /// Whether a payment is awaited.
    var isUnpaid: Bool { state == .billingRetry || state == .grace }
}

extension SubscriptionLife {
    /// The store's view at an instant; nil before the first transaction appeared.
    package func status(at now: Int64) -> SubscriptionStatus? {
        guard let index = periods.lastIndex(where: { $0.createdAt <= now }) else { return nil }
        let period = periods[index]
        var status = SubscriptionStatus(
            state: .active, periodIndex: index, autoRenew: autoRenew.value(at: now) ?? true,
            autoRenewProductID: renewalProduct.value(at: now) ?? period.productID)
        status.priceConsent = priceConsent.value(at: now) ?? nil
        if let refund = takenBack(index, at: now) {
            status.state = .revoked
            status.endReason = refund.endReason
        } else if now >= period.expiresAt {
            status.apply(period.ending, at: now)
        }
        return status
    }

    /// The refund that ended a period: of seats in several transactions the last one, once each of them was refunded.
    func takenBack(_ index: Int, at now: Int64) -> Refund? {
        let rows = rows(beside: index, at: now).map { $0.refund(at: now) }
        return rows.contains(nil) ? nil : rows.compactMap(\.self).max { $0.at < $1.at }
    }

    /// The transactions that make up one period, as far as they exist.
    private func rows(beside index: Int, at now: Int64) -> [Period] {
        let period = periods[index]
        guard period.seats != nil else { return [period] }
        return periods.filter {
            $0.createdAt <= now && $0.seats != nil && $0.expiresAt == period.expiresAt
                && $0.upgradedAt == period.upgradedAt
        }
    }
}

extension SubscriptionStatus {
    /// What the ending of a period that is past its expiry makes of the subscription.
    fileprivate mutating func apply(_ ending: Ending, at now: Int64) {
        switch ending {
        case .goesOn: break
        case .expires(let intent): end(intent)
        case .billing(let trouble):
            switch trouble.outcome {
            case .givenUp(let at) where at <= now: end(.billing)
            case .cancelled(let at) where at <= now: end(.voluntary)
            default: awaitPayment(graceEndsAt: trouble.graceEndsAt, at: now)
            }
        }
    }

    private mutating func end(_ intent: Ending.Intent) {
        state = .expired
        self.intent = intent
        endReason = intent.endReason
    }

    private mutating func awaitPayment(graceEndsAt: Int64?, at now: Int64) {
        if let graceEndsAt, now < graceEndsAt {
            state = .grace
            self.graceEndsAt = graceEndsAt
        } else {
            state = .billingRetry
            intent = .billing
        }
    }
}
