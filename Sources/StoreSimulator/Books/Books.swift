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
    func money(_ column: BookColumn) -> [(booked: BookedTransaction, ledger: MoneyLedger)] {
        let images = column == .revealed ? revealed.periods.values.map(\.self) : everyPurchase
        return images.map { image in
            var ledger = revealed.ledgers[image.booked.periodKey] ?? MoneyLedger()
            if column == .happened { ledger.take(image.booked, answeredAt: now) }
            return (image.booked, ledger)
        }
    }

    /// As every row would be shown now.
    private var everyPurchase: [PeriodImage] {
        customers.flatMap { customer in
            apps[customer.appID].map { app in
                customer.everything.compactMap { customer.image(of: $0, at: now, in: app, revealed: revealed) }
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
            return everySubscription.compactMap { customer, life, _ in life.booked(of: customer, at: now) }
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

    var happenedStories: [LineageStory] {
        everySubscription.map { customer, life, app in
            let told = revealed.endings[life.originalTransactionID] ?? [:]
            let images = life.periods.indices.compactMap {
                customer.image(of: .period(life, $0), at: now, in: app, revealed: revealed)
            }
            var story = LineageStory(
                appID: customer.appID, environment: customer.environment, ownership: life.ownership, periods: images)
            // Why an earlier stretch ended, and that a grace was granted, statuses and receipts tell while it lasts and
            // never again; no history has it. A notification that said so is kept for half a year, but it is a hint: it
            // makes its reader ask, and what it said itself is never booked. So of both only what an answer told counts.
            story.endings = told
            if let last = images.last {
                var ending = life.ending(of: last.index, at: now)
                ending?.graceEndsAt = told[last.index]?.graceEndsAt ?? life.standing(at: now)?.graceEndsAt
                story.endings[last.index] = ending
            }
            return story
        }
    }

    var revealedStories: [LineageStory] {
        let periods = revealed.periods.values.filter { $0.booked.kind != .oneTime }
        return Dictionary(grouping: periods, by: \.booked.originalTransactionID).compactMap { id, images in
            guard let first = images.first else { return nil }
            return LineageStory(
                appID: first.booked.appID, environment: first.booked.environment, ownership: first.booked.ownership,
                periods: images.sorted { $0.index < $1.index }, endings: revealed.endings[id] ?? [:])
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
    /// The subscription as a whole at an instant, in the words of the canonical tables; nil before it began.
    func booked(of customer: CustomerLife, at now: Int64) -> BookedSubscription? {
        guard let standing = standing(at: now) else { return nil }
        let period = periods[standing.periodIndex]
        return BookedSubscription(
            appID: customer.appID, originalTransactionID: originalTransactionID,
            state: standing.state(isTrial: period.isTrial), autoRenew: standing.autoRenew,
            autoRenewProductID: standing.autoRenewProductID, productID: period.productID, expiresAt: period.expiresAt,
            graceExpiresAt: standing.graceEndsAt, endReason: standing.endReason)
    }

    /// How a period is known to have come out, with everything known at that instant.
    func ending(of index: Int, at now: Int64) -> LineageStory.Ending? {
        let period = periods[index]
        // The refund of the newest period is why it ended even when the period was over: it wins over any other reason.
        if let refund = period.refund(at: now) {
            return LineageStory.Ending(reason: refund.endReason)
        }
        guard period.expiresAt <= now else { return nil }
        switch period.ending {
        case .goesOn: return nil
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
        case .revoked: .revoked
        }
    }
}
