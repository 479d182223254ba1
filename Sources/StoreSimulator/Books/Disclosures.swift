// SPDX-License-Identifier: Apache-2.0

/// What a store's answers have said so far, and when: nothing else is in the disclosed column of its books.
struct Disclosures: Sendable {
    /// The store's clock at the first and the last time that an order was shown as paid.
    struct Shown: Hashable, Sendable {
        var first: Int64
        var last: Int64
    }

    /// The App Store's transactions as last shown, by what an image is known by from answer to answer.
    private(set) var periods: [String: PeriodImage] = [:]
    /// When each of them was last shown, by the same.
    private var shownAt: [String: Int64] = [:]
    /// When a notification last spoke of a change of one, by the same.
    private(set) var toldAt: [String: Int64] = [:]
    /// The notifications that were sent since the last answer about their subscription, by its original transaction id.
    private var told: [String: [AppStoreNotification]] = [:]
    /// Their money, by the same.
    private(set) var ledgers: [String: MoneyLedger] = [:]
    /// Google Play's orders: they say themselves when what befell them.
    private(set) var orders: [String: Shown] = [:]
    /// The App Store's subscriptions as last disclosed.
    private(set) var statuses: [String: DisclosedStatus] = [:]
    /// What their renewals were said to cost, by the expiry that the price was said with: the last word on each.
    private(set) var renewals: [String: [Int64: SaidRenewal]] = [:]
    /// How their periods were said to have ended, by the place of the period.
    private(set) var endings: [String: [Int: AppStoreLineage.Ending]] = [:]
    /// The store's clock at every answer about one of Google Play's purchases, growing.
    private(set) var answers: [String: [Int64]] = [:]
    /// When a subscription was last asked about for nothing.
    private(set) var failedChecks: [String: Int64] = [:]
    /// The purchases that the store said it had forgotten.
    private(set) var forgotten: Set<String> = []

    mutating func show(_ image: PeriodImage, at now: Int64) {
        periods[image.key] = image
        shownAt[image.key] = now
        ledgers[image.key, default: MoneyLedger()].take(image, answeredAt: now, toldAt: toldAt[image.key])
    }

    /// Nothing newer was shown of it.
    func wasShown(_ image: PeriodImage, before instant: Int64) -> Bool {
        shownAt[image.key].map { $0 < instant } ?? true
    }

    mutating func tell(_ notification: AppStoreNotification, of keys: [String]) {
        told[notification.purchase.originalTransactionID, default: []].append(notification)
        for key in keys { toldAt[key] = notification.at }
    }

    /// What was told of a subscription and not yet answered, in its order.
    mutating func takeTold(of id: String) -> [AppStoreNotification] {
        (told.removeValue(forKey: id) ?? []).sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    }

    mutating func show(order id: String, at now: Int64) {
        orders[id] = Shown(first: orders[id]?.first ?? now, last: now)
    }

    /// An answer disclosed a subscription's status; a grace once granted is remembered with its period.
    mutating func record(_ subscription: BookedSubscription, period index: Int, revokedAt: Int64?, at now: Int64) {
        let id = subscription.originalTransactionID
        var ending = endings[id]?[index] ?? AppStoreLineage.Ending()
        ending.graceEndsAt = subscription.graceExpiresAt ?? ending.graceEndsAt
        ending.isAwaitingPayment = ending.isAwaitingPayment || subscription.state == .billingRetry
        ending.reason = subscription.endReason
        endings[id, default: [:]][index] = ending
        statuses[id] = DisclosedStatus(
            subscription: subscription, at: now, revokedAt: revokedAt, graceEndsAt: ending.graceEndsAt)
        renewals[id, default: [:]][subscription.expiresAt] = SaidRenewal(
            micros: subscription.renewalMicros, currency: subscription.renewalCurrency)
        failedChecks[id] = nil
    }

    /// An answer disclosed a purchase's status.
    mutating func record(token: String, at now: Int64) {
        if answers[token]?.last != now { answers[token, default: []].append(now) }
    }

    /// The store was asked, and what came back could not be used.
    mutating func fail(_ id: String, at now: Int64) { failedChecks[id] = now }

    mutating func forget(_ token: String) { forgotten.insert(token) }
}

/// The price that a store said of a renewal; nil where it said none.
struct SaidRenewal: Hashable, Sendable {
    var micros: Int64?
    var currency: String?
}

/// A subscription's status as an answer disclosed it, and when.
struct DisclosedStatus: Sendable {
    var subscription: BookedSubscription
    var at: Int64
    /// When access was taken away with the money given back.
    var revokedAt: Int64?
    /// The end of the time that the store gave beyond what was paid for: the last one disclosed for this expiry.
    var graceEndsAt: Int64?
    /// Google Play's newest paid order.
    var orderID: String?
    /// The store says that another purchase took its place before it ran out.
    var isCutShort = false
}
