// SPDX-License-Identifier: Apache-2.0

/// How much of a store's history of a subscription is read besides the status that it reports now.
package enum HistoryReach: Sendable {
    /// What the status makes necessary, mostly nothing.
    case asNeeded
    /// What the store changed since it was read last, whatever the status says.
    case fromCursor
    /// All of it: the store does not list every changed row again behind the cursor. One that is longer than a night reads is read
    /// to its end before it is read again.
    case fromBeginning
    /// All of it, also where one is being read on: a refund that names no row may be in the pages that were read.
    case restarted

    /// From its beginning, whatever the status says.
    package var isWhole: Bool { self == .fromBeginning || self == .restarted }
}
