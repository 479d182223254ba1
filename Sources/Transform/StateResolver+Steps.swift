// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// When the renewal was switched off, where the store dates it and we did not know it: at the latest when it said so. What
    /// was awaiting its payment has another story, unless it was paid in between.
    var switchedOffAt: Instant? {
        guard status.state != nil, status.autoRenew == false, before.autoRenew != false, let at = status.cancelledAt,
            at <= status.sourceVersion, !before.state.isAwaitingPayment || wasPaid(before: at)
        else { return nil }
        return at
    }

    private func wasPaid(before instant: Instant) -> Bool {
        timeline.began.map { $0.known == nil && $0.purchasedAt < instant } ?? false
    }

    /// What became of it since the last answer, as far as the store dates it: it began or was renewed, then the renewal was
    /// switched off. What it is now follows behind.
    var steps: [StateStep] {
        guard let switchedOff = switchedOffAt else { return [] }
        let running: SubscriptionState = isInTrial ? .trial : .active
        var steps: [StateStep] = []
        let hasStarted = !before.state.isRunning || before.expiresAt != expiresAt
        if hasStarted, let began = timeline.began?.purchasedAt, began < switchedOff {
            steps.append(StateStep(at: began, state: running, autoRenew: true))
        }
        if let endedAt, switchedOff < endedAt {
            steps.append(StateStep(at: switchedOff, state: running, autoRenew: false))
        }
        return steps
    }
}

extension SubscriptionState {
    fileprivate var isRunning: Bool { self == .active || self == .trial || self == .grace }
}
