// SPDX-License-Identifier: Apache-2.0

/// The level of service of products, 1 the highest, from the imported product lists: of a base plan where its own row
/// gives one, else of the product.
package struct ProductLevels: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    private struct Plan: Hashable, Sendable {
        let productID: String
        /// Empty: any.
        let basePlanID: String
    }

    private var levels: [Plan: Int64] = [:]

    package init() {}

    /// By product, whatever its base plan.
    package init(dictionaryLiteral elements: (String, Int64)...) {
        for (productID, level) in elements { set(level, of: productID, basePlanID: nil) }
    }

    /// `basePlanID`: nil or empty: any.
    package mutating func set(_ level: Int64?, of productID: String, basePlanID: String?) {
        levels[Plan(productID: productID, basePlanID: basePlanID ?? "")] = level
    }

    package func level(of productID: String, basePlanID: String?) -> Int64? {
        levels[Plan(productID: productID, basePlanID: basePlanID ?? "")]
            ?? levels[Plan(productID: productID, basePlanID: "")]
    }
}
