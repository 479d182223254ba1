// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a run has spent of what it may: it is the run's, however many processes lead it one after the other.
extension ThrottledClient {
    /// Of the retry budget, and of the time for which a store that is down is waited for.
    package struct Spent: Hashable, Sendable {
        package var calls: Int
        package var retries: Int
        package var waitedMilliseconds: Int64

        package init(calls: Int = 0, retries: Int = 0, waitedMilliseconds: Int64 = 0) {
            self.calls = calls
            self.retries = retries
            self.waitedMilliseconds = waitedMilliseconds
        }
    }

    /// By this process and, where the client was told, by those before it.
    package var spent: Spent {
        let at = now
        return state.withLock { state in
            Spent(
                calls: state.before.calls + state.counts.calls, retries: state.before.retries + state.counts.retries,
                waitedMilliseconds: Int64(clamping: state.breaker.waited(now: at) / 1_000_000))
        }
    }

    /// Goes on where a process that died had come to.
    package func resume(after before: Spent) {
        budget.add(calls: before.calls, retries: before.retries)
        state.withLock { state in
            state.before = before
            state.breaker.add(waited: UInt64(max(before.waitedMilliseconds, 0)) * 1_000_000)
        }
    }
}
