// SPDX-License-Identifier: Apache-2.0

/// Exponential backoff with full jitter: a uniformly random part of a ceiling that doubles up to a cap.
package struct Backoff: Sendable {
    package let base: Duration
    package let cap: Duration
    /// Tries in all, the first included.
    package let attempts: Int

    package init(base: Duration = .milliseconds(500), cap: Duration = .seconds(30), attempts: Int = 4) {
        self.base = base
        self.cap = cap
        self.attempts = attempts
    }

    /// The wait before try number `attempt` + 1, after `attempt` tries; `random` in 0..<1.
    package func delay(afterAttempt attempt: Int, random: Double) -> Duration {
        let ceiling = attempt > 20 ? cap : min(cap, base * (1 << (attempt - 1)))
        return ceiling * random
    }
}

/// Retries of a run as a share of its calls, so that a failing store is not asked twice as hard.
package struct RetryBudget: Sendable {
    private let percent: Int
    private let floor: Int
    package private(set) var calls = 0
    package private(set) var retries = 0

    package init(percent: Int = 10, floor: Int = 20) {
        self.percent = percent
        self.floor = floor
    }

    package mutating func countCall() { calls += 1 }

    /// What another process has taken from it before.
    package mutating func add(calls: Int, retries: Int) {
        self.calls += calls
        self.retries += retries
    }

    /// Takes one retry from the budget; false when it is used up.
    package mutating func takeRetry() -> Bool {
        guard retries < max(floor, calls * percent / 100) else { return false }
        retries += 1
        return true
    }
}
