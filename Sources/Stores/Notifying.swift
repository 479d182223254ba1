// SPDX-License-Identifier: Apache-2.0

package import Model

/// What a store sends unasked, subscription by subscription: a faster hint, never the truth.
///
/// A store that sends nothing, or keeps nothing to fetch, takes what is written here.
package protocol Notifying: Sendable {
    /// Reads a notification and checks that the store sent it, and about this app. Pure.
    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint

    /// What the store keeps of its notifications for us to fetch; nil where it keeps none.
    ///
    /// `since`: where the last pull ended, or where the first one begins.
    /// `until`: the run's logical now.
    func pull(since: Instant, until: Instant, through client: ThrottledClient) -> (any NotificationPull)?

    /// The notification as a JSON object that people may read: signed and encoded parts decoded, passwords, receipts,
    /// tokens and the identifiers of devices cut; nil where it is none. Nothing is verified here.
    func readable(_ notification: RawNotification) -> [UInt8]?
}

extension Notifying {
    package func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint { throw .notOfThisStore }

    package func pull(
        since: Instant, until: Instant, through client: ThrottledClient
    ) -> (any NotificationPull)? { nil }

    package func readable(_ notification: RawNotification) -> [UInt8]? { nil }
}
