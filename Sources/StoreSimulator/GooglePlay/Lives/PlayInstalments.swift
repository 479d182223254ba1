// SPDX-License-Identifier: Apache-2.0

/// A plan in which so many payments are promised.
package struct PlayInstalments: Hashable, Sendable {
    package var initial: Int
    package var remaining: Int
    /// Nil: afterwards it renews like any other.
    package var subsequent: Int?
    /// The customer left; the payments that were promised go on.
    package var isCancellationPending = false
}
