// SPDX-License-Identifier: Apache-2.0

/// One customer of one app, with every subscription they will ever have there.
package struct CustomerLife: Hashable, Sendable {
    package var appID: String
    package var accountID: String
    package var market: Market = .unitedStates
    package var environment: StoreEnvironment = .production
    package var subscriptions: [SubscriptionLife]
    /// What they buy once, in the order of the purchases.
    package var sales: [Period] = []
    /// The steps the life was written from; hand-made lives have none.
    package var steps: Set<AppStoreStep> = []
    /// How many rows a page of their history has: the store promises no more than twenty, and may give fewer.
    package var historyPage = 20
}
