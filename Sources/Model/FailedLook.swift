// SPDX-License-Identifier: Apache-2.0

/// A look at a one-time sale that failed: it is made again.
package struct FailedLook: Hashable, Sendable, Codable {
    package let key: SubscriptionKey
    package let kind: NextCheck.FailureKind
    /// A sentence for people, free of tokens.
    package let message: String
    /// Failing nights in a row, this one included.
    package let failures: Int
    /// Nil: the store does not know the sale, and no further look is to come.
    package let nextLookAt: Instant?

    package init(
        key: SubscriptionKey, kind: NextCheck.FailureKind, message: String, failures: Int, nextLookAt: Instant?
    ) {
        self.key = key
        self.kind = kind
        self.message = message
        self.failures = failures
        self.nextLookAt = nextLookAt
    }
}
