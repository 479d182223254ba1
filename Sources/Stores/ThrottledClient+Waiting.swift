// SPDX-License-Identifier: Apache-2.0

import Foundations
import Logging
import Synchronization

extension ThrottledClient {
    /// Waits for this request's turn and holds a permit when it returns: the endpoint is open and the slot is now.
    ///
    /// True where it probes whether the store is there again.
    ///
    /// A closed endpoint is waited for without a permit, so that the others go on. Whoever waited for a slot while the
    /// endpoint closed waits again.
    func takeTurn(at endpoint: Endpoint) async throws(StoreFailure) -> Bool {
        while true {
            try await waitUntilOpen(endpoint)
            guard await permits.acquire() else { throw .interrupted }
            do throws(StoreFailure) {
                if try await waitForSlot(at: endpoint), let isProbe = try start(endpoint) { return isProbe }
            } catch {
                permits.release()
                throw error
            }
            permits.release()
        }
    }

    /// False where the endpoint closed meanwhile.
    ///
    /// Throws where its turn would come after the night's time, or none is to be had.
    private func waitForSlot(at endpoint: Endpoint) async throws(StoreFailure) -> Bool {
        switch await quota.turn(at: endpoint, before: endpoint.part == .inquiry ? deadline : nil) {
        case .wait(let wait):
            try checkTime(for: endpoint, after: wait)
            try await sleep(wait)
            return true
        case .closed: return false
        case .unavailable(let reason): throw noSlice(endpoint, reason)
        case .cancelled: throw .interrupted
        }
    }

    /// Waits before the next try, or gives up: no tries left, the budget used up, or a wait too long for tonight.
    ///
    /// A wait that a store over its quota asked for takes nothing from the budget: the store is not failing.
    func wait(after retryable: RetryableFailure, attempt: Int, _ endpoint: Endpoint) async throws(StoreFailure) {
        try checkStopped()
        let asked = retryable.after ?? .zero
        let mayRetry = attempt < backoff.attempts && asked.nanoseconds <= patience(for: endpoint)
        guard mayRetry, retryable.isQuotaWait || budget.takeRetry() else {
            if try waitsForStore(after: retryable, endpoint, isBudgetUsedUp: mayRetry) { return }
            throw retryable.failure
        }
        state.withLock { $0.counts.retries += 1 }
        let jittered = backoff.delay(afterAttempt: attempt, random: random())
        logger.debug(
            "asking the store again",
            metadata: [
                "app": "\(appID)", "endpoint": "\(endpoint.name)", "reason": "\(retryable.failure.reason)",
                "attempt": "\(attempt + 1)",
            ])
        try await sleep((asked + jittered).nanoseconds)
    }

    /// The store said "too many": all requests slow down, and none to this endpoint starts before the wait is over.
    func throttled(_ endpoint: Endpoint, retryAfter: Duration?) throws(StoreFailure) -> RetryableFailure {
        let at = now
        withPacer(of: endpoint) { $0.slowDown(now: at, until: retryAfter.map { at + $0.nanoseconds }) }
        let isWarningDue = state.withLock { state in
            state.counts.throttled += 1
            return state.throttleWarnings[endpoint.name, default: WarningPace()].isDue(now: at)
        }
        // Who counts requests is there.
        noteSuccess(at: endpoint)
        if let retryAfter, retryAfter.nanoseconds > patience(for: endpoint) {
            throw overQuota(endpoint, for: retryAfter)
        }
        if isWarningDue {
            logger.warning(
                "the store says too many requests; slowing down",
                metadata: ["app": "\(appID)", "endpoint": "\(endpoint.name)"])
        }
        return RetryableFailure(
            after: nil,
            failure: StoreFailure(
                .transient, reason: "over_quota",
                message: "The store says too many requests for \(endpoint.name); the next run asks again."),
            isQuotaWait: retryAfter != nil)
    }

    /// The store named a time to come back at: no request to this endpoint starts before, where that can be waited for.
    func pause(_ endpoint: Endpoint, for wait: Duration?) {
        guard let wait, wait.nanoseconds <= patience(for: endpoint) else { return }
        let until = now + wait.nanoseconds
        withPacer(of: endpoint) { $0.close(until: until) }
    }

    /// The first reason stays, and everybody who comes later gets it at once.
    func stop(_ failure: StoreFailure) -> StoreFailure {
        state.withLock { state in
            let first = state.stopped ?? failure
            state.stopped = first
            return first
        }
    }

    private func checkStopped() throws(StoreFailure) {
        if let stopped = state.withLock({ $0.stopped }) { throw stopped }
    }

    private func waitUntilOpen(_ endpoint: Endpoint) async throws(StoreFailure) {
        while true {
            let wait = try openIn(endpoint)
            if wait == 0 { return }
            try checkPatience(endpoint)
            try checkTime(for: endpoint)
            let at = now
            let closed = withPacer(of: endpoint) { $0.closedFor(now: at) }
            if closed > patience(for: endpoint) { throw overQuota(endpoint, for: .nanoseconds(closed)) }
            try checkTime(for: endpoint, after: wait)
            try await sleep(wait)
        }
    }

    /// Nil where it must wait again; else whether it is the probe of a store that was down.
    ///
    /// Of many that come at once one is.
    private func start(_ endpoint: Endpoint) throws(StoreFailure) -> Bool? {
        guard try openIn(endpoint) == 0 else { return nil }
        let at = now
        return state.withLock { $0.breaker.start(now: at) }
    }

    /// Nanoseconds until this endpoint may be asked; 0 is now.
    private func openIn(_ endpoint: Endpoint) throws(StoreFailure) -> UInt64 {
        try checkStopped()
        let at = now
        let closed = withPacer(of: endpoint) { $0.closedFor(now: at) }
        return max(closed, state.withLock { $0.breaker.wait(now: at) })
    }
}
