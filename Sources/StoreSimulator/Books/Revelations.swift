// SPDX-License-Identifier: Apache-2.0

/// What the store's answers have said so far: each transaction as last shown, each subscription as last told.
struct Revelations: Sendable {
    /// What an answer told of a subscription as a whole, and when.
    struct Told: Hashable, Sendable {
        var subscription: BookedSubscription
        var at: Int64
        var revokedAt: Int64?
        /// The last grace that was told for this expiry.
        var graceEndsAt: Int64?
    }

    /// By what an image is known by from answer to answer.
    private(set) var periods: [String: PeriodImage] = [:]
    private(set) var ledgers: [String: MoneyLedger] = [:]
    private(set) var standings: [String: Told] = [:]
    private(set) var endings: [String: [Int: LineageStory.Ending]] = [:]
    /// When a subscription was last asked about for nothing.
    private(set) var vain: [String: Int64] = [:]

    var subscriptions: [String: BookedSubscription] { standings.mapValues(\.subscription) }

    mutating func show(_ image: PeriodImage, at now: Int64) {
        periods[image.key] = image
        ledgers[image.key, default: MoneyLedger()].take(image, answeredAt: now)
    }

    /// An answer told where a subscription stands; a grace once granted is remembered with its period.
    mutating func tell(_ subscription: BookedSubscription, period index: Int, revokedAt: Int64?, at now: Int64) {
        let id = subscription.originalTransactionID
        var ending = endings[id]?[index] ?? LineageStory.Ending()
        ending.graceEndsAt = subscription.graceExpiresAt ?? ending.graceEndsAt
        ending.isAwaitingPayment = ending.isAwaitingPayment || subscription.state == .billingRetry
        ending.reason = subscription.endReason
        endings[id, default: [:]][index] = ending
        standings[id] = Told(
            subscription: subscription, at: now, revokedAt: revokedAt, graceEndsAt: ending.graceEndsAt)
        vain[id] = nil
    }

    /// The store was asked, and what came back could not be used.
    mutating func askedInVain(_ id: String, at now: Int64) { vain[id] = now }
}
