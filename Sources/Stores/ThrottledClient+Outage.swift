// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// A store that is down is waited for: single requests probe it, and what is asked meanwhile waits.
extension ThrottledClient {
    /// Nothing that fails at this endpoint says anything of what was asked.
    func isWaitingForStore(_ endpoint: Endpoint) -> Bool {
        endpoint.part != .hint && state.withLock { $0.breaker.isOpen }
    }

    /// A request has no tries left, and its endpoint never answered: the store may be down however few were asked. True where it is
    /// waited for.
    func waitsForStore(after retryable: RetryableFailure, _ endpoint: Endpoint) throws(StoreFailure) -> Bool {
        guard retryable.isSilence, endpoint.part != .hint else { return false }
        let at = now
        let consequence = state.withLock { state -> Breaker.Consequence? in
            let hasAnswered = state.counts.answersByEndpoint[endpoint.name] ?? 0 > 0
            return hasAnswered || !state.breaker.isPatient ? nil : state.breaker.open(now: at)
        }
        guard let consequence else { return false }
        try follow(consequence, at: endpoint, reason: retryable.failure.reason)
        return true
    }

    /// Store events are not worth waiting for: the next run reads them.
    func checkHint(_ endpoint: Endpoint) throws(StoreFailure) {
        guard endpoint.part == .hint, state.withLock({ $0.breaker.isOpen }) else { return }
        throw StoreFailure(
            .transient, reason: "store_down", message: "It could not be asked: the store does not answer.")
    }

    func noteSuccess() {
        let at = now
        guard let outage = state.withLock({ $0.breaker.succeeded(now: at) }) else { return }
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
                    .storeDown, reason: "store_down",
                    message: "App \(appID) stops for tonight: its store was waited for and does not answer "
                        + "(last: \(reason)). What was not asked stays due for the next run."))
        }
    }
}
