// SPDX-License-Identifier: Apache-2.0

/// An order that a store named and had not settled, or did not return, when it was last asked for: it is asked for again
/// until it is booked or will not be any more.
package struct AwaitedOrder: Hashable, Sendable, Codable {
    /// Nights on which a purchase's latest order is asked for again before a person must look at it.
    package static let mostNights = 14

    package let id: String
    /// When it was last asked for, a further time within the same night apart.
    package let lastAskedAt: Instant
    /// On so many nights after the first it was asked for again.
    package let nights: Int

    package init(id: String, lastAskedAt: Instant, nights: Int) {
        self.id = id
        self.lastAskedAt = lastAskedAt
        self.nights = nights
    }

    /// Not settled once more, or for the first time.
    ///
    /// A run again within the same night is no further one.
    package init(_ id: String, askedAgain before: AwaitedOrder?, now: Instant) {
        guard let before else {
            self.init(id: id, lastAskedAt: now, nights: 0)
            return
        }
        let isFurtherNight = now - before.lastAskedAt >= NextCheck.night
        self.init(
            id: id, lastAskedAt: isFurtherNight ? now : before.lastAskedAt,
            nights: before.nights + (isFurtherNight ? 1 : 0))
    }

    /// The night after the last one on which it was asked for.
    package var nextNight: Instant { lastAskedAt + NextCheck.night }

    /// It was asked for again on as many nights as there are.
    package var isOverdue: Bool { nights >= Self.mostNights }
}
