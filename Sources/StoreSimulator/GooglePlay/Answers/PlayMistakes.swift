// SPDX-License-Identifier: Apache-2.0

/// What Google Play gets wrong about single purchases.
package struct PlayMistakes: Sendable {
    /// Purchases whose items and orders name a product that is no name, until an instant of the store's clock; by their tokens.
    package var withLongProduct: [String: Int64] = [:]

    /// What it calls a product then.
    package static let longProduct = String(repeating: "plus.", count: 2_400)

    /// A purchase or an order of it as the store shows it with its mistakes.
    func spoilt(_ answer: WireObject, of token: String, at now: Int64) -> WireObject {
        guard let until = withLongProduct[token], now < until, let items = answer["lineItems"] as? [WireObject] else {
            return answer
        }
        var spoilt = answer
        spoilt["lineItems"] = items.map { item in
            var item = item
            item["productId"] = Self.longProduct
            return item
        }
        return spoilt
    }
}
