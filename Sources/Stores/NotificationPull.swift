// SPDX-License-Identifier: Apache-2.0

/// Fetches notifications part by part.
package protocol NotificationPull: Sendable {
    /// The next part; nil when there is none left.
    mutating func next() async throws(StoreFailure) -> NotificationBatch?

    /// The store need not keep these any longer: they are committed.
    func acknowledge(_ batch: NotificationBatch) async throws(StoreFailure)
}

extension NotificationPull {
    /// The store keeps them whatever was fetched.
    package func acknowledge(_ batch: NotificationBatch) async throws(StoreFailure) {}
}
