// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `TransactionMultiSeatInfo` (App Store Server API 1.23): the seats of one transaction and what each of them cost.
struct MultiSeatInfo: JSONReadable {
    /// Seats that were bought at one price.
    struct Tier: JSONReadable {
        /// Thousandths of the currency's unit, for one seat.
        let price: Int64?
        let quantity: Int64?

        init(_ fields: Fields) {
            price = fields.integer("tierPrice")
            quantity = fields.integer("tierQuantity")
        }
    }

    /// In no order; nil for each that cannot be read.
    let tiers: [Tier?]
    /// Seats that were given back; nil where none was.
    let revokedSeats: Int64?

    init(_ fields: Fields) {
        tiers = fields.list("priceTiers") ?? []
        revokedSeats = fields.integer("revokedSeatQuantity")
    }

    /// What all seats cost, in micros: the sum of tier price × tier quantity.
    ///
    /// The row's own price is the average of a seat. Nil where a tier cannot be reckoned with.
    var totalMicros: Int64? {
        Self.totalMicros(of: tiers)
    }

    static func totalMicros(of tiers: [Tier?]) -> Int64? {
        guard !tiers.isEmpty else { return nil }
        return sum(of: .max, in: tiers)
    }

    /// What was paid for the seats that were given back, in micros: the dearest first.
    ///
    /// Nil as above.
    var revokedMicros: Int64? {
        guard let revokedSeats, revokedSeats >= 0, totalMicros != nil else { return nil }
        return Self.sum(of: revokedSeats, in: tiers)
    }

    /// The price of so many seats, the dearest first.
    private static func sum(of seats: Int64, in tiers: [Tier?]) -> Int64? {
        var (sum, left) = (Int128(0), seats)
        for tier in tiers.sorted(by: { ($0?.price ?? 0) > ($1?.price ?? 0) }) {
            guard let price = tier?.price, let quantity = tier?.quantity, price >= 0, quantity >= 0 else { return nil }
            let taken = min(quantity, left)
            sum += Int128(price) * Int128(taken) * 1_000
            left -= taken
        }
        return Int64(exactly: sum)
    }
}
