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
}
