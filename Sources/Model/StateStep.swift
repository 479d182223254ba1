// SPDX-License-Identifier: Apache-2.0

/// Where a subscription stood on its way from one answer to the next.
package struct StateStep: Hashable, Sendable {
    package let at: Instant
    /// A running one.
    package let state: SubscriptionState
    package let autoRenew: Bool
    /// As in the snapshot.
    package let committedUntil: Instant?

    package init(at: Instant, state: SubscriptionState, autoRenew: Bool, committedUntil: Instant? = nil) {
        self.at = at
        self.state = state
        self.autoRenew = autoRenew
        self.committedUntil = committedUntil
    }
}
