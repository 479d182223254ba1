// SPDX-License-Identifier: Apache-2.0

/// A check that failed: nothing of it is booked.
package struct FailedCheck: Hashable, Sendable, Codable {
    package let key: SubscriptionKey
    package let kind: NextCheck.FailureKind
    /// A word for the table (`not_found`, `timed_out`), never the store's text with an id in it.
    package let reason: String
    /// A sentence for people, free of tokens.
    package let message: String
    /// Failing nights in a row, this one included.
    package let failures: Int
    /// Nights since its last good answer on which the store refused it for now, this one included.
    package let refusals: Int
    package let nextCheck: NextCheck
    /// The state that follows from a failed check (`unreachable`, or `expired` after a 410); nil: unchanged.
    package let newState: SubscriptionState?
    /// Only with a `newState` that is ended.
    package let endedAt: Instant?
    /// Only with a `newState` that is ended.
    package let endReason: EndReason?
    /// It was out of reach before: that it still is, is nothing new.
    package let wasUnreachable: Bool

    package init(
        key: SubscriptionKey, kind: NextCheck.FailureKind, reason: String, message: String, failures: Int,
        refusals: Int = 0, nextCheck: NextCheck, newState: SubscriptionState? = nil, endedAt: Instant? = nil,
        endReason: EndReason? = nil, wasUnreachable: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.reason = reason
        self.message = message
        self.failures = failures
        self.refusals = refusals
        self.nextCheck = nextCheck
        self.newState = newState
        self.endedAt = endedAt
        self.endReason = endReason
        self.wasUnreachable = wasUnreachable
    }

    /// The store said something of its own about it, whatever it says.
    ///
    /// A server error without a body says nothing, though it may count against an id that alone meets it.
    package var isAnswered: Bool { kind != .transient && !Self.isServerError(reason) }

    /// By the reason of a failed request: `http_500` and the like, for answers without a body of the store's own.
    package static func isServerError(_ reason: String) -> Bool { reason.hasPrefix("http_5") }
}
