// SPDX-License-Identifier: Apache-2.0

/// The store's own books, in two columns: what happened, and what its answers have revealed.
package struct Books: Sendable {
    let customers: [CustomerLife]
    let apps: [String: SimulatedApp]
    let now: Int64
    let revealed: Revelations
    /// Google Play's, where an app is sold there.
    var play: PlayBooks?

    package func transactions(_ column: BookColumn) -> [BookedTransaction] {
        appStoreTransactions(column) + (play?.transactions(column) ?? [])
    }

    private func appStoreTransactions(_ column: BookColumn) -> [BookedTransaction] {
        switch column {
        case .revealed: revealed.periods.values.map(\.booked)
        case .happened: everyPurchase.map(\.booked)
        }
    }

    /// Every purchase with its money: what was told, and for what happened also what an answer would tell now.
    func money(_ column: BookColumn) -> [(image: PeriodImage, ledger: MoneyLedger)] {
        let images = column == .revealed ? revealed.periods.values.map(\.self) : everyPurchase
        return images.map { image in
            var ledger = revealed.ledgers[image.key] ?? MoneyLedger()
            if column == .happened { ledger.take(image, answeredAt: now) }
            return (image, ledger)
        }
    }

    /// As every row would be shown now.
    private var everyPurchase: [PeriodImage] {
        customers.flatMap { customer in
            apps[customer.appID].map { app in
                customer.everything.flatMap { customer.images(of: $0, at: now, in: app, revealed: revealed) }
            } ?? []
        }
    }

    /// A subscription seen only in another one's answer is unverified: nothing but its id is known of it.
    package func subscriptions(_ column: BookColumn) -> [BookedSubscription] {
        switch column {
        case .revealed:
            let told = revealed.subscriptions
            let unverified = Set(
                revealed.periods.values.filter { $0.booked.kind != .oneTime }
                    .map { [$0.booked.appID, $0.booked.originalTransactionID] }
            ).filter { told[$0[1]] == nil }
            return Array(told.values)
                + unverified.map { BookedSubscription(unverified: $0[1], appID: $0[0]) }
                + (play?.subscriptions(column) ?? [])
        case .happened:
            return everySubscription.compactMap { customer, life, app in life.booked(of: customer, in: app, at: now) }
                + (play?.subscriptions(column) ?? [])
        }
    }

    /// Charges and refunds by day, through that date.
    package func revenue(_ column: BookColumn, through date: String) -> [RevenueRow] {
        Metrics.revenue(money(column), through: date) + (play?.revenue(column, through: date) ?? [])
    }

    /// Openings, churn by reason and lapses by day, through that date.
    package func churn(_ column: BookColumn, through date: String) -> [ChurnRow] {
        Metrics.churn(paidStories(column), through: date)
    }

    /// Every standing that Google Play told of a purchase, the oldest first: a reader that looked at it only on behalf
    /// of the purchase that took its place may stand at the one before the last.
    package func history(ofToken token: String) -> [BookedSubscription] { play?.history(of: token) ?? [] }

    var everySubscription: [(CustomerLife, SubscriptionLife, SimulatedApp)] {
        customers.flatMap { customer in
            customer.subscriptions.compactMap { life in apps[customer.appID].map { (customer, life, $0) } }
        }
    }
}

extension BookedSubscription {
    init(unverified id: String, appID: String) {
        self.init(
            appID: appID, originalTransactionID: id, state: .unverified, autoRenew: nil, autoRenewProductID: nil,
            productID: "", expiresAt: 0, graceExpiresAt: nil, endReason: nil)
    }
}

extension SubscriptionLife {
    /// How long after its expiry a receipt's subscription is waited for that says no more than that it renews itself.
    private static let patience = 48 * CivilTime.hour

    /// The subscription as a whole at an instant, in the words of the canonical tables; nil before it began.
    func booked(of customer: CustomerLife, in app: SimulatedApp, at now: Int64) -> BookedSubscription? {
        guard var standing = standing(at: now) else { return nil }
        let period = periods[standing.periodIndex]
        if isGivenUp(standing, in: app, at: now) { (standing.status, standing.endReason) = (.expired, .unknown) }
        return BookedSubscription(
            appID: customer.appID, originalTransactionID: originalTransactionID,
            state: standing.state(isTrial: period.isTrial), autoRenew: standing.autoRenew,
            autoRenewProductID: standing.autoRenewProductID, productID: period.productID, expiresAt: period.expiresAt,
            graceExpiresAt: standing.graceEndsAt, endReason: standing.endReason,
            items: bookedItems(of: standing, at: now), linkedTo: bundle?.replaces)
    }

    /// A receipt whose newest period is over, auto-renew on, without a reason for an end and without a retry, says that the
    /// renewal is late. Nobody waits for it longer than that.
    private func isGivenUp(_ standing: Standing, in app: SimulatedApp, at now: Int64) -> Bool {
        app.api == .receipts && standing.status == .active && standing.autoRenew
            && now >= periods[standing.periodIndex].expiresAt + Self.patience
    }

    /// How a period is known to have come out, with everything known at that instant.
    func ending(of index: Int, in app: SimulatedApp, at now: Int64) -> LineageStory.Ending? {
        let period = periods[index]
        // The refund of the newest period is why it ended even when the period was over: it wins over any other reason.
        if let refund = period.refund(at: now) {
            return LineageStory.Ending(reason: refund.endReason)
        }
        guard period.expiresAt <= now else { return nil }
        switch period.ending {
        case .goesOn:
            let isOver = standing(at: now).map { $0.periodIndex == index && isGivenUp($0, in: app, at: now) } ?? false
            return isOver ? LineageStory.Ending(reason: .unknown) : nil
        case .expires(let intent): return LineageStory.Ending(reason: intent.endReason)
        case .billing(let trouble):
            var ending = LineageStory.Ending(graceEndsAt: trouble.graceEndsAt, isAwaitingPayment: true)
            switch trouble.outcome {
            case .givenUp(let at) where at <= now: ending.reason = .involuntary
            case .cancelled(let at) where at <= now: ending.reason = .voluntary
            default: if let grace = trouble.graceEndsAt, grace > now { ending.isAwaitingPayment = false }
            }
            return ending
        }
    }
}

extension Standing {
    func state(isTrial: Bool) -> BookedSubscription.State {
        switch status {
        case .active: isTrial ? .trial : .active
        case .expired: .expired
        case .billingRetry: .billingRetry
        case .grace: .grace
        // What gave way to a bundle was taken from nobody.
        case .revoked: endReason == .replaced ? .expired : .revoked
        }
    }
}
