// SPDX-License-Identifier: Apache-2.0

/// Why a message was not taken, and whether to try again.
package struct FailedAttempt: Sendable, Hashable {
    package enum Retry: Sendable, Hashable {
        /// No sooner than after this, where the server said so.
        case later(Duration?)
        /// Not in this call: somebody has to look.
        case never
    }

    /// A sentence without secrets.
    package let reason: String
    package let retry: Retry
}
