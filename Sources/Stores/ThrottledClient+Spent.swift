// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// What a run has spent of what it may: it is the run's, however many processes ask for it, at once or one after the other.
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

    /// By this process and, where the client was told, by the others.
    package var spent: Spent {
        let at = now
        return state.withLock { state in
            Spent(
                calls: state.others.calls + state.counts.calls, retries: state.others.retries + state.counts.retries,
                waitedMilliseconds: Int64(clamping: state.breaker.waited(now: at) / 1_000_000))
        }
    }

    /// Takes over what the run's other processes have spent so far: calls and retries of theirs alone, and the time that the run has
    /// waited for the store.
    package func learn(_ others: Spent) {
        let at = now
        let new = state.withLock { state in
            state.breaker.learn(waited: UInt64(max(others.waitedMilliseconds, 0)) * 1_000_000, now: at)
            let new = Spent(
                calls: max(others.calls - state.others.calls, 0),
                retries: max(others.retries - state.others.retries, 0))
            state.others.calls += new.calls
            state.others.retries += new.retries
            return new
        }
        budget.add(calls: new.calls, retries: new.retries)
    }

    /// The store answered well of anything of the app in this run, its events excepted, whichever process asked.
    ///
    /// What fails then without a word fails on its id.
    package var hasAnsweredWell: Bool { state.withLock(\.hasAnsweredWell) }

    /// Another process of the run was answered.
    package func learnOfAnswers() {
        state.withLock { state in
            state.hasAnswered = true
            state.hasAnsweredWell = true
        }
    }

    /// The run's other hosts have loaded so many checks of the app by now.
    package func learn(checksOfOthers: Int) {
        let at = now
        guard let alone = state.withLock({ $0.breaker.learn(checksOfOthers: checksOfOthers, now: at) }) else { return }
        logger.warning(
            "the store answers other hosts and not this one, whose network may be cut; its chunks are left to them until it has an answer",
            metadata: ["app": "\(appID)", "seconds": "\(alone / 1_000_000_000)"])
    }

    /// An outage is this host's own, and it is not yet time to probe: whoever claims a chunk now could only hold it.
    ///
    /// While a probe is under way it is waited for: who gave the chunk up would cancel it.
    package var isLeavingToOthers: Bool {
        let at = now
        return state.withLock { $0.breaker.isIsolated(now: at) && $0.breaker.isPaused(now: at) }
    }

    /// Nothing is asked any more: another process of the run has met what stops the app.
    package func stopAsking(because failure: StoreFailure) { _ = stop(failure) }
}
