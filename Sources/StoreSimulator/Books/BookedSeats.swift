// SPDX-License-Identifier: Apache-2.0

/// The seats of one transaction of a group.
package struct BookedSeats: Hashable, Sendable {
    package var appID: String
    package var transactionID: String
    /// As many as were bought with it.
    package var bought: Int64
    /// Of the purchaser's own; a member's row never says.
    package var givenBack: Int64

    package init(appID: String, transactionID: String, bought: Int64, givenBack: Int64) {
        self.appID = appID
        self.transactionID = transactionID
        self.bought = bought
        self.givenBack = givenBack
    }
}

extension Books {
    /// Every transaction that is for seats.
    package func seats(_ column: BookColumn) -> [BookedSeats] {
        money(column).compactMap { image, _ in
            image.seats.map { seats in
                BookedSeats(
                    appID: image.booked.appID, transactionID: image.booked.transactionID, bought: seats,
                    givenBack: image.seatsGivenBack)
            }
        }
    }

    /// The transactions of the App Store whose refund was worked out from a share of the price.
    package func derivedRefunds(_ column: BookColumn) -> Set<String> {
        Set(money(column).filter { $0.image.isRefundDerived }.map(\.image.booked.transactionID))
    }
}
