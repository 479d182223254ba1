// SPDX-License-Identifier: Apache-2.0

/// How long a period of a product lasts, as the owner's list of products tells it.
package struct ProductPeriod: Hashable, Sendable {
    package var appID: String
    package var productID: String
    /// Google Play's base plan, where the product has several; nil stands for any.
    package var basePlanID: String?
    /// An ISO 8601 duration.
    package var period: String
}

extension SimulatedStores {
    /// Everything that the simulated apps sell by the period.
    package var productPeriods: [ProductPeriod] {
        configuration.apps.flatMap { app -> [ProductPeriod] in
            guard app.play == nil else {
                return PlayProduct.allCases.filter { !$0.isOneTime }.map {
                    ProductPeriod(
                        appID: app.id, productID: $0.identifier(in: app.bundleID),
                        basePlanID: $0.isOneOfSeveralPlans ? $0.basePlanID : nil, period: $0.term.iso8601)
                }
            }
            return Product.allCases.map {
                ProductPeriod(appID: app.id, productID: $0.identifier(in: app.bundleID), period: $0.term.iso8601)
            }
        }
    }
}
