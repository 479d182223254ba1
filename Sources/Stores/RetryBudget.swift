// SPDX-License-Identifier: Apache-2.0

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
