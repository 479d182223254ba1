// SPDX-License-Identifier: Apache-2.0

/// What the store's answers have said so far: each transaction as last shown, each subscription as last told.
struct Revelations: Sendable {
    private(set) var periods: [String: PeriodImage] = [:]
    private(set) var subscriptions: [String: BookedSubscription] = [:]
    private(set) var endings: [String: [Int: LineageStory.Ending]] = [:]

    mutating func show(_ image: PeriodImage) { periods[image.booked.transactionID] = image }

    /// An answer told where a subscription stands; a grace once granted is remembered with its period.
    mutating func tell(_ subscription: BookedSubscription, period index: Int) {
        let id = subscription.originalTransactionID
        subscriptions[id] = subscription
        var ending = endings[id]?[index] ?? LineageStory.Ending()
        ending.graceEndsAt = subscription.graceExpiresAt ?? ending.graceEndsAt
        ending.isAwaitingPayment = ending.isAwaitingPayment || subscription.state == .billingRetry
        ending.reason = subscription.endReason
        endings[id, default: [:]][index] = ending
    }
}
