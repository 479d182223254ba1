// SPDX-License-Identifier: Apache-2.0

/// A transaction that was sold through the Advanced Commerce API: its row names a generic product, and what was sold, and given
/// back of it, stands in its items.
///
/// The first of them is the period's own product, at what the others leave of the period's price.
package struct Commerce: Hashable, Sendable {
    /// A sum that was given back of an item, on its own day.
    package struct Sum: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case full = "FULL"
            case prorated = "PRORATED"
            case custom = "CUSTOM"
        }

        package var at: Int64
        /// Nil where the store forgot the price that was given back.
        package var milliunits: Int64?
        package var kind: Kind

        package init(at: Int64, _ milliunits: Int64?, _ kind: Kind = .custom) {
            self.at = at
            self.milliunits = milliunits
            self.kind = kind
        }
    }

    /// Something sold under a name of the owner's own.
    package struct Item: Hashable, Sendable {
        package var sku: String
        package var priceMilliunits: Int64?
        /// In the order of their days.
        package var givenBack: [Sum] = []
        package var takenBackAt: Int64?

        package init(_ sku: String, priceMilliunits: Int64?) {
            self.sku = sku
            self.priceMilliunits = priceMilliunits
        }
    }

    /// The product of the row; the period's own is the first item's SKU.
    package var genericProductID: String
    /// Sums of the first item that were given back and took nothing away.
    package var givenBack: [Sum] = []
    /// What was sold beside it.
    package var besides: [Item] = []

    /// Every sum that is ever given back while the transaction as a whole stands.
    var sums: [Sum] { givenBack + besides.flatMap(\.givenBack) }

    /// When the store says something new of an item.
    var changes: [Int64] { sums.map(\.at) + besides.compactMap(\.takenBackAt) }
}

extension Period {
    /// What was sold in it, as the store shows it at an instant; nothing where it was not sold by items.
    ///
    /// A refund of the period is a whole refund of every item that is left, and takes it away.
    func items(at now: Int64) -> [Commerce.Item] {
        guard let commerce else { return [] }
        let others = commerce.besides.compactMap(\.priceMilliunits).reduce(0, +)
        var own = Commerce.Item(productID, priceMilliunits: priceMilliunits.map { $0 - others })
        own.givenBack = commerce.givenBack
        return ([own] + commerce.besides).map { item in
            var item = item
            if priceMilliunits == nil { item.priceMilliunits = nil }
            return item.shown(at: now, refund: refund(at: now))
        }
    }

    /// Those of them that the customer still has.
    func itemsHeld(at now: Int64) -> [Commerce.Item] { items(at: now).filter { $0.takenBackAt == nil } }
}

extension Commerce.Item {
    fileprivate func shown(at now: Int64, refund: Refund?) -> Commerce.Item {
        var item = self
        item.givenBack.removeAll { $0.at > now }
        item.takenBackAt = takenBackAt.flatMap { $0 <= now ? $0 : nil }
        guard let refund, item.takenBackAt == nil else { return item }
        item.takenBackAt = refund.at
        item.givenBack = [.init(at: refund.at, priceMilliunits, .full)]
        return item
    }
}
