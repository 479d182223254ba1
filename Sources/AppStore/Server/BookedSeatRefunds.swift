// SPDX-License-Identifier: Apache-2.0

import Foundations
import Model
import Stores

/// What is booked of a group's refunds of seats, item by item.
///
/// The store states one sum for the row and dates none of it. What an item that was taken back since bore of it stays with that item:
/// the rest alone is shared among those that are still owned.
struct BookedSeatRefunds {
    /// For what is no item, or the only one: it has none to share with.
    static let none = BookedSeatRefunds(micros: [0], isOwned: [true])

    /// Of each item, until it was taken back.
    private let micros: [Int64]
    private let isOwned: [Bool]

    private init(micros: [Int64], isOwned: [Bool]) {
        (self.micros, self.isOwned) = (micros, isOwned)
    }

    /// `known`: the rows of the transaction, as they are booked.
    init(_ known: [KnownPeriod], of items: [AdvancedCommerce.Item]) {
        isOwned = items.map { $0.revocationDate == nil }
        micros = items.map { item in
            guard items.count > 1, let row = known.first(where: { $0.productID == item.sku }) else { return 0 }
            return row.givenBackForSeats(before: Instant(storeMilliseconds: item.revocationDate) ?? .distantFuture)
        }
    }

    /// What stays with an item that was taken back; 0 for one that is still owned.
    func staying(with index: Int) -> Int64 { isOwned[index] ? 0 : micros[index] }

    /// The sum that the store states, shared among the items that are still owned, in proportion to their prices.
    ///
    /// Where it is what is booked already, each has what it has: another proportion would round to another micro.
    func shares(of sum: Int64, by prices: [Int64]) -> [Int64] {
        let staying = micros.indices.reduce(0) { $0 + self.staying(with: $1) }
        let owned = zip(micros, isOwned).map { $1 ? $0 : 0 }
        guard staying == 0 || owned.reduce(staying, +) != sum else { return owned }
        return Shares.split(max(0, sum - staying), by: zip(prices, isOwned).map { $1 ? $0 : 0 })
    }
}

extension KnownPeriod {
    /// What went back for seats is neither money alone nor what was taken back with all of the row.
    fileprivate func givenBackForSeats(before instant: Instant) -> Int64 {
        guard facts.seats != nil else { return 0 }
        let end = facts.seats == 0 ? min(instant, refund.refundedAt ?? instant) : instant
        return RefundAmount.sum(refund.steps.filter { !$0.isMoneyOnly && $0.at < end })
    }
}
