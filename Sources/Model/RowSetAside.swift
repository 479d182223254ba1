// SPDX-License-Identifier: Apache-2.0

/// A row of a store's answer that was set aside and is not booked yet.
///
/// Pure: when it is looked for again.
package struct RowSetAside: Hashable, Sendable {
    /// As the row says itself, or `SetAside.unidentified`.
    package let transactionID: String
    package let reason: String
    package let detail: String
    /// Nights on which it was met or looked for, at least 1.
    package let nights: Int
    /// The logical now of the first of them.
    package let since: Instant
    /// The logical now of the last of them.
    package let lastLookAt: Instant

    package init(
        transactionID: String, reason: String, detail: String, nights: Int, since: Instant, lastLookAt: Instant
    ) {
        self.transactionID = transactionID
        self.reason = reason
        self.detail = detail
        self.nights = nights
        self.since = since
        self.lastLookAt = lastLookAt
    }

    /// So long it is looked for once a week; afterwards only when its subscription is asked anyway.
    private static let patience = Span.days(60)

    /// On the next night; from the third on, once a week; nil: no more.
    package var nextLook: Instant? {
        guard nights >= NextCheck.nightsUntilSetAside else { return lastLookAt + NextCheck.night }
        let next = lastLookAt + .days(7)
        return next - since <= Self.patience ? next : nil
    }

    /// After it was met again, or looked for and not found.
    ///
    /// A second look within the same night is no further one.
    package func looked(at now: Instant) -> RowSetAside {
        RowSetAside(
            transactionID: transactionID, reason: reason, detail: detail,
            nights: now - lastLookAt < NextCheck.night ? nights : nights + 1, since: since, lastLookAt: now)
    }
}
