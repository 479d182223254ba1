// SPDX-License-Identifier: Apache-2.0

/// One customer of one app, with every subscription they will ever have there.
package struct CustomerLife: Hashable, Sendable {
    package var appID: String
    package var accountID: String
    package var storefront: Storefront
    package var environment: StoreEnvironment
    package var subscriptions: [SubscriptionLife]
    /// What they buy once, in the order of the purchases.
    package var sales: [OneTimeSale]
    /// The chapters the life was written from; hand-made lives have none.
    package var chapters: Set<Chapter>
    /// How many rows a page of their history has: the store promises no more than twenty, and may give fewer.
    package var historyPage = 20

    package init(
        appID: String, accountID: String, storefront: Storefront = .unitedStates,
        environment: StoreEnvironment = .production, subscriptions: [SubscriptionLife], sales: [OneTimeSale] = [],
        chapters: Set<Chapter> = []
    ) {
        self.appID = appID
        self.accountID = accountID
        self.storefront = storefront
        self.environment = environment
        self.subscriptions = subscriptions
        self.sales = sales
        self.chapters = chapters
    }
}
