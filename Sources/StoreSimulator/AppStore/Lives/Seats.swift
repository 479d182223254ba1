// SPDX-License-Identifier: Apache-2.0

/// The seats of one transaction of a group's subscription: what they cost, and how many of them were given back.
package struct Seats: Hashable, Sendable {
    /// So many seats at one price.
    package struct Tier: Hashable, Sendable {
        /// For one seat, in milliunits of the currency.
        package var priceMilliunits: Int64
        package var quantity: Int64

        package init(_ priceMilliunits: Int64, times quantity: Int64) {
            self.priceMilliunits = priceMilliunits
            self.quantity = quantity
        }
    }

    /// Who invites the members; the App Store's spelling.
    package enum Invitations: String, Hashable, Sendable {
        /// Every member has a transaction of their own.
        case apple = "APPLE"
        /// The purchaser alone has one.
        case developer = "DEVELOPER"
    }

    /// In no order that its reader may count on.
    package var tiers: [Tier]
    package var invitations: Invitations
    /// Whether they were bought within a period, beside the transaction that the period began with.
    package var isAddition = false
    /// When others were bought beside them; from then on the store says of these too that they are not all.
    package var joinedAt: Int64?
    /// How many of them in all had been given back, each from an instant on; the store reports the number, not the day.
    package var givenBack: [Dated<Int64>] = []

    package init(_ tiers: [Tier], invitations: Invitations) {
        self.tiers = tiers
        self.invitations = invitations
    }

    package var count: Int64 { tiers.map(\.quantity).reduce(0, +) }

    /// What was charged for all of them.
    package var totalMilliunits: Int64 { tiers.map { $0.priceMilliunits * $0.quantity }.reduce(0, +) }

    /// What the store calls the transaction's price: the average of a seat, half up.
    ///
    /// Times the count it is not the total.
    var averageMilliunits: Int64 { (totalMilliunits * 2 + count) / (count * 2) }

    /// How many had been given back by an instant, and since when it had been so many.
    func givenBack(at now: Int64) -> Dated<Int64>? { givenBack.last { $0.at <= now } }

    /// What so many of the dearest ones cost.
    func worth(ofDearest count: Int64) -> Int64 {
        var (left, sum) = (count, Int64(0))
        for tier in tiers.sorted(by: { $0.priceMilliunits > $1.priceMilliunits }) {
            let taken = min(left, tier.quantity)
            (left, sum) = (left - taken, sum + taken * tier.priceMilliunits)
        }
        return sum
    }

    /// Whether the store says at an instant that the period has more than this transaction.
    func isOneOfSeveral(at now: Int64) -> Bool { isAddition || joinedAt.map { $0 <= now } ?? false }
}
