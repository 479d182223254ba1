// SPDX-License-Identifier: Apache-2.0

/// One column of the books at one instant, gathered once for all the metrics that are worked out from it.
package struct MetricBooks: Sendable {
    let books: Books
    let column: BookColumn
    let lengths: PeriodLengths
    /// Every lineage that ever paid, or had something for nothing.
    let lineages: [Lineage]
    /// The App Store's, families and testers included.
    let appStoreLineages: [AppStoreLineage]
    /// Every subscription as last known, by its key.
    let subscriptions: [String: BookedSubscription]
    /// Every purchase with its charge and what befell that.
    let entries: [(booked: BookedTransaction, entries: [MoneyLedger.Entry])]

    var now: Int64 { books.now }
}

extension Books {
    /// What a column of the books makes of every metric.
    package func metrics(_ column: BookColumn, lengths: PeriodLengths = .dates) -> MetricBooks {
        MetricBooks(
            books: self, column: column, lengths: lengths, lineages: lineages(column),
            appStoreLineages: appStoreLineages(column),
            subscriptions: Dictionary(subscriptions(column).map { ($0.originalTransactionID, $0) }) { first, _ in
                first
            },
            entries: money(column).map { ($0.image.booked, $0.entries) })
    }
}

extension MetricBooks {
    /// The monthly recurring revenue by day, from its opening to its closing, through that date.
    package func bridge(through date: String) -> [MetricRow] {
        Bridge.rows(lineages.map { $0.line(by: lengths) }, through: date)
    }
}

/// How long a period of a product lasts, by the owner's list of products.
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
                return Product.allCases.filter { !$0.isOneTime }.map {
                    ProductPeriod(
                        appID: app.id, productID: $0.identifier(in: app.bundleID),
                        basePlanID: $0.isOneOfSeveralPlans ? $0.basePlanID : nil, period: $0.term.iso8601)
                }
            }
            let products = Product.ofAppStore.map { ($0.identifier(in: app.bundleID), $0.term) }
            return (products + itemsSold(in: app)).map { product, term in
                ProductPeriod(appID: app.id, productID: product, period: term.iso8601)
            }
        }
    }

    /// What is sold beside other items, by its name.
    private func itemsSold(in app: SimulatedApp) -> [(String, Term)] {
        let periods = backend.customers.filter { $0.appID == app.id }.flatMap(\.subscriptions).flatMap(\.periods)
        let items = periods.flatMap { period in (period.commerce?.besides ?? []).map { ($0.sku, period.term) } }
        return Dictionary(items) { first, _ in first }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
