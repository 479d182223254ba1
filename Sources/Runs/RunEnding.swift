// SPDX-License-Identifier: Apache-2.0

/// What a run came to: the value its job returns, and what the ledger keeps of it.
package struct RunEnding<Value: Sendable>: Sendable {
    package let value: Value
    package let outcome: Run.Outcome
    package let counts: [String: Int64]

    package init(_ value: Value, outcome: Run.Outcome, counts: [String: Int64]) {
        self.value = value
        self.outcome = outcome
        self.counts = counts
    }
}
