// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The retry budget of a run, shared by all its clients.
package final class SharedRetryBudget: Sendable {
    private let budget: Mutex<RetryBudget>

    package init(_ budget: RetryBudget = RetryBudget()) { self.budget = Mutex(budget) }

    /// Calls and retries so far.
    package var current: RetryBudget { budget.withLock { $0 } }

    func countCall() { budget.withLock { $0.countCall() } }

    func add(calls: Int, retries: Int) { budget.withLock { $0.add(calls: calls, retries: retries) } }

    func takeRetry() -> Bool { budget.withLock { $0.takeRetry() } }
}
