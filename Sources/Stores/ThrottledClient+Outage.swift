// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A store that is down is waited for: single requests probe it, and what is asked meanwhile waits.
extension ThrottledClient {
    /// Nothing that fails at this endpoint says anything of what was asked.
    func isWaitingForStore(_ endpoint: Endpoint) -> Bool {
        endpoint.part != .hint && state.withLock { $0.breaker.isOpen }
    }

    /// A request is not asked again.
    ///
    /// True where the store is waited for instead: it never answered the app, and may be down however few were asked,
    /// or the run's retries are used up while it answers none of several. Else a failing request says something of
    /// itself.
    func waitsForStore(
        after retryable: RetryableFailure, _ endpoint: Endpoint, isBudgetUsedUp: Bool
    ) throws(StoreFailure) -> Bool {
        guard retryable.isSilence, endpoint.part != .hint else { return false }
        let at = now
        let consequence = state.withLock { state -> Breaker.Consequence? in
            let isItself = state.hasAnswered && !(isBudgetUsedUp && state.breaker.isSuspect)
            return isItself || !state.breaker.isPatient ? nil : state.breaker.open(now: at)
        }
        guard let consequence else { return false }
        try follow(consequence, at: endpoint, reason: retryable.failure.reason)
        return true
    }

    /// Store events are not worth waiting for, nor is anything once the night's time is over: the next run asks.
    ///
    /// Nor is a store that answers other hosts worth holding chunks for: they are left to them.
    func checkPatience(_ endpoint: Endpoint) throws(StoreFailure) {
        if endpoint.part != .hint, isLeavingToOthers {
            throw StoreFailure(
                .storeDown, because: .isolated,
                message: "App \(appID) is left to the other hosts: its store answers them and not this host.")
        }
        let isImpatient = endpoint.part == .hint || isOutOfTime
        guard isImpatient, state.withLock({ $0.breaker.isOpen }) else { return }
        throw StoreFailure(
            .transient, because: .storeDown, message: "It could not be asked: the store does not answer.")
    }

    /// What is read beside the checks, perhaps on another server, says nothing of those that fail.
    func noteSuccess(at endpoint: Endpoint) {
        let at = now
        let outage = state.withLock { state in
            if endpoint.part != .hint { state.hasAnswered = true }
            return state.breaker.succeeded(now: at)
        }
        guard let outage else { return }
        logger.notice(
            "the store answers again", metadata: ["app": "\(appID)", "seconds": "\(outage / 1_000_000_000)"])
    }

    /// Counts a failure of the store; after too many in a row it is waited for, and in the end the app stops.
    func noteFailure(at endpoint: Endpoint, startedAt: UInt64, reason: String) throws(StoreFailure) {
        let at = now
        try follow(
            state.withLock { $0.breaker.failed(startedAt: startedAt, now: at) }, at: endpoint, reason: reason)
    }

    private func follow(
        _ consequence: Breaker.Consequence, at endpoint: Endpoint, reason: String
    ) throws(StoreFailure) {
        switch consequence {
        case .none: return
        case .pause(let until):
            let at = now
            logger.warning(
                "the store answers nothing; it is waited for",
                metadata: [
                    "app": "\(appID)", "endpoint": "\(endpoint.name)", "reason": "\(reason)",
                    "asked_again_in_seconds": "\(until > at ? (until - at) / 1_000_000_000 : 0)",
                ])
        case .down:
            throw stop(
                StoreFailure(
                    .storeDown, because: .storeDown,
                    message: "App \(appID) stops for tonight: its store does not answer "
                        + "(last: \(reason)). What was not asked stays due for the next run."))
        }
    }
}
