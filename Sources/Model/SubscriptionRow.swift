// SPDX-License-Identifier: Apache-2.0

/// A subscription as this check leaves it.
package struct SubscriptionRow: Hashable, Sendable {
    package let key: SubscriptionKey
    package let environment: PurchaseEnvironment
    package let snapshot: SubscriptionSnapshot
    package let nextCheck: NextCheck
    package let historyCursor: String?
    package let sourceVersion: Instant
    /// When the change to this state happened, as far as the store dates it.
    package let occurredAt: Instant
    /// The content hash of the answer that said so.
    package let answerHash: String
    /// What became of it between the last answer and this one, as far as the store dates it: in its order, and before what it
    /// is now.
    package let steps: [StateStep]

    package init(
        key: SubscriptionKey, environment: PurchaseEnvironment, snapshot: SubscriptionSnapshot, nextCheck: NextCheck,
        historyCursor: String?, sourceVersion: Instant, occurredAt: Instant, answerHash: String,
        steps: [StateStep] = []
    ) {
        self.key = key
        self.environment = environment
        self.snapshot = snapshot
        self.nextCheck = nextCheck
        self.historyCursor = historyCursor
        self.sourceVersion = sourceVersion
        self.occurredAt = occurredAt
        self.answerHash = answerHash
        self.steps = steps
    }
}
