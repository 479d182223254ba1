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
            let products = Product.allCases.map { ($0.identifier(in: app.bundleID), $0.term) }
            return (products + itemsSold(in: app)).map { product, term in
                ProductPeriod(appID: app.id, productID: product, period: term.iso8601)
            }
        }
    }

    /// What is sold beside other items, by its name.
    private func itemsSold(in app: SimulatedApp) -> [(String, Term)] {
        let periods = front.customers.filter { $0.appID == app.id }.flatMap(\.subscriptions).flatMap(\.periods)
        let items = periods.flatMap { period in (period.commerce?.besides ?? []).map { ($0.sku, period.term) } }
        return Dictionary(items) { first, _ in first }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
