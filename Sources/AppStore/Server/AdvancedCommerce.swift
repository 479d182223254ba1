// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// `AdvancedCommerceTransactionInfo`: what a transaction of the Advanced Commerce API is made of.
///
/// Its row names one generic product; its items state what was sold, and what was given back of it.
struct AdvancedCommerce: JSONReadable {
    /// A sum that was given back of an item.
    struct Refund: JSONReadable {
        /// Thousandths of the currency's unit.
        let amount: Int64?
        let date: Int64?
        let type: String?

        init(_ fields: Fields) {
            amount = fields.integer("refundAmount")
            date = fields.integer("refundDate")
            type = fields.text("refundType")
        }

        /// A whole refund needs no amount to be one.
        var isMoney: Bool { amount.map { $0 > 0 } ?? (type == "FULL") }
    }

    /// One product, by the owner's own name for it.
    struct Item: JSONReadable {
        let sku: String?
        let price: Int64?
        /// What it costs while an offer lasts.
        let offerPrice: Int64?
        /// Nil for each that cannot be read.
        let refunds: [Refund?]
        let revocationDate: Int64?

        init(_ fields: Fields) {
            sku = fields.text("SKU")
            price = fields.integer("price")
            offerPrice = fields.object("offer")?.integer("price")
            refunds = fields.list("refunds") ?? []
            revocationDate = fields.integer("revocationDate")
        }

        /// Money of it was.
        var isGivenBack: Bool { refunds.contains { $0?.isMoney == true } }
    }

    let items: [Item]
    /// Thousandths of the currency's unit, like the price without tax.
    let estimatedTax: Int64?
    let taxExclusivePrice: Int64?

    init(_ fields: Fields) {
        let listed: [Item?]? = fields.list("items")
        items = (listed ?? []).compactMap(\.self)
        estimatedTax = fields.integer("estimatedTax")
        taxExclusivePrice = fields.integer("taxExclusivePrice")
    }

    /// The items that can be distinguished: one per name.
    var named: [Item] {
        var seen: Set<String> = []
        return items.filter { $0.sku.map { seen.insert($0).inserted } ?? false }
    }

    /// Every item was taken back: the last of the instants, in milliseconds; nil while one is still held.
    var revocationDate: Int64? {
        let dates = named.map(\.revocationDate)
        return dates.contains(nil) ? nil : dates.compactMap(\.self).max()
    }

    /// Money was given back of one of them at least.
    var isGivenBack: Bool { named.contains(where: \.isGivenBack) }

    /// The tax in a price of so many milliunits: what the price is above the one without tax, else the store's
    /// estimate.
    ///
    /// Where prices do not include it, none is in it. Nil where neither is given, or they contradict the price.
    func taxMicros(in price: Int64) -> Int64? {
        let tax = taxExclusivePrice.map { price - $0 } ?? estimatedTax
        guard let tax, (0...price).contains(tax) else { return nil }
        return Money.micros(milliunits: tax)
    }

    /// How a price is spread over the named items: by what each costs now, or, where those sums are the row's price and
    /// the plain ones are not, by what each costs in its offer.
    func weights(ofPrice price: Int64) -> [Int64] {
        let plain = named.map { max(0, $0.price ?? 0) }
        let offered = named.map { max(0, $0.offerPrice ?? $0.price ?? 0) }
        let sums: Set<Int64> = [price, taxExclusivePrice ?? price]
        return !sums.contains(Self.sum(plain)) && sums.contains(Self.sum(offered)) ? offered : plain
    }

    private static func sum(_ values: [Int64]) -> Int64 {
        Int64(clamping: values.reduce(Int128(0)) { $0 + Int128($1) })
    }
}
