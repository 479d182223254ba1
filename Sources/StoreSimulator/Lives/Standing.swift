// SPDX-License-Identifier: Apache-2.0

/// What the store says about a subscription as a whole at one instant.
package struct Standing: Hashable, Sendable {
    /// The App Store's number of the status.
    package enum Status: Int, Hashable, Sendable {
        case active = 1
        case expired = 2
        case billingRetry = 3
        case grace = 4
        case revoked = 5
    }

    package var status: Status
    /// The index of the newest period.
    package var periodIndex: Int
    package var autoRenew: Bool
    package var autoRenewProductID: String
    /// While the status is `grace`.
    package var graceEndsAt: Int64?
    /// While the status is `expired` or `billingRetry`.
    package var intent: Ending.Intent?
    /// Where it ended.
    package var endReason: EndReason?
    /// What the customer said to a price increase, while there is one.
    package var priceConsent: SubscriptionLife.PriceConsent?
}

extension SubscriptionLife {
    /// The store's view at an instant; nil before the first transaction appeared.
    package func standing(at now: Int64) -> Standing? {
        guard let index = periods.lastIndex(where: { $0.createdAt <= now }) else { return nil }
        let period = periods[index]
        var standing = Standing(
            status: .active, periodIndex: index, autoRenew: autoRenew.value(at: now) ?? true,
            autoRenewProductID: renewalProduct.value(at: now) ?? period.productID)
        standing.priceConsent = priceConsent.last { $0.at <= now }?.value
        if let refund = period.refund(at: now) {
            standing.status = .revoked
            standing.endReason = refund.endReason
        } else if now >= period.expiresAt {
            standing.apply(period.ending, at: now)
        }
        return standing
    }
}

extension Standing {
    /// What the ending of a period that is past its expiry makes of the subscription.
    fileprivate mutating func apply(_ ending: Ending, at now: Int64) {
        switch ending {
        case .goesOn:
            break
        case .expires(let intent):
            end(intent)
        case .billing(let trouble):
            switch trouble.outcome {
            case .givenUp(let at) where at <= now: end(.billing)
            case .cancelled(let at) where at <= now: end(.voluntary)
            default: awaitPayment(graceEndsAt: trouble.graceEndsAt, at: now)
            }
        }
    }

    private mutating func end(_ intent: Ending.Intent) {
        status = .expired
        self.intent = intent
        endReason = intent.endReason
    }

    private mutating func awaitPayment(graceEndsAt: Int64?, at now: Int64) {
        if let graceEndsAt, now < graceEndsAt {
            status = .grace
            self.graceEndsAt = graceEndsAt
        } else {
            status = .billingRetry
            intent = .billing
        }
    }
}

extension [SubscriptionLife.Dated<Bool>] {
    /// The value in force at an instant.
    func value(at now: Int64) -> Bool? { last { $0.at <= now }?.value }
}

extension [SubscriptionLife.Dated<String>] {
    /// The value in force at an instant.
    func value(at now: Int64) -> String? { last { $0.at <= now }?.value }
}
