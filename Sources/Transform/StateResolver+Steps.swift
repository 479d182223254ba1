// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension StateResolver {
    /// When the renewal was switched off, where the store dates it and we did not know it: at the latest when it said
    /// so.
    ///
    /// What was awaiting its payment has another story, unless it was paid in between. While payments are committed
    /// nothing is switched off: that begins with the last of them.
    var switchedOffAt: Instant? {
        guard status.state != nil, status.autoRenew == false, before.autoRenew != false, let at = cancelledAt,
            at <= status.sourceVersion, !before.state.isAwaitingPayment || wasPaid(before: at)
        else { return nil }
        return at
    }

    private var cancelledAt: Instant? {
        guard committedUntil != nil || before.committedUntil != nil, let last = timeline.newest?.purchasedAt else {
            return status.cancelledAt
        }
        return status.cancelledAt.map { max($0, last) }
    }

    private func wasPaid(before instant: Instant) -> Bool {
        timeline.began.map { $0.known == nil && $0.purchasedAt < instant } ?? false
    }

    /// What became of it since the last answer, as far as the store dates it: it began or was renewed, then the renewal
    /// was switched off, or a commitment was cancelled.
    ///
    /// What it is now follows behind.
    var steps: [StateStep] {
        guard let changed = switchedOffAt ?? leftCommitmentAt else { return [] }
        let running: SubscriptionState = isInTrial ? .trial : .active
        var steps: [StateStep] = []
        if let left = status.cancelledAt, left < changed, isAnotherCommitment {
            steps.append(StateStep(at: left, state: running, autoRenew: true, committedUntil: committedUntil))
        }
        let hasStarted = !before.state.isRunning || before.expiresAt != expiresAt
        if hasStarted, let began = timeline.began?.purchasedAt, began < changed {
            steps.append(
                StateStep(
                    at: began, state: running, autoRenew: true,
                    committedUntil: before.committedUntil.flatMap { began < $0 ? $0 : nil }))
        }
        let isUnpaidLater = state.isAwaitingPayment && !before.state.isAwaitingPayment && changed < occurredAt
        if switchedOffAt == nil, isUnpaidLater {
            steps.append(StateStep(at: changed, state: running, autoRenew: true, committedUntil: committedUntil))
        }
        if switchedOffAt != nil, let endedAt, changed < endedAt {
            steps.append(StateStep(at: changed, state: running, autoRenew: false, committedUntil: committedUntil))
        }
        return steps
    }
}

extension SubscriptionState {
    fileprivate var isRunning: Bool { self == .active || self == .trial || self == .grace }
}
