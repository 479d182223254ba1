// SPDX-License-Identifier: Apache-2.0

/// A transaction that was sold through the Advanced Commerce API: its row names a generic product, and what was sold, and given
/// back of it, stands in its only item.
package struct Commerce: Hashable, Sendable {
    /// The product of the row; the period's own is the item's SKU.
    package var genericProductID: String
    /// A sum that was given back and took nothing away, in milliunits of the currency.
    package var givenBack: SubscriptionLife.Dated<Int64>?

    package init(genericProductID: String) {
        self.genericProductID = genericProductID
    }

    /// The sum, once it was given back.
    func givenBack(at now: Int64) -> SubscriptionLife.Dated<Int64>? { givenBack.flatMap { $0.at <= now ? $0 : nil } }
}
