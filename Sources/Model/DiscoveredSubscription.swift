// SPDX-License-Identifier: Apache-2.0

/// Another subscription of the customer that an answer showed: registered under the same account, asked by itself later.
package struct DiscoveredSubscription: Hashable, Sendable {
    package let key: SubscriptionKey
    package let appID: AppID
    package let store: StoreKind
    package let environment: PurchaseEnvironment
    package let storeKey: Secret
    package let productID: String?
    package let discoveredBy: SubscriptionKey
    package let receiptID: Int64?

    package init(
        key: SubscriptionKey, appID: AppID, store: StoreKind, environment: PurchaseEnvironment, storeKey: Secret,
        productID: String?, discoveredBy: SubscriptionKey, receiptID: Int64?
    ) {
        self.key = key
        self.appID = appID
        self.store = store
        self.environment = environment
        self.storeKey = storeKey
        self.productID = productID
        self.discoveredBy = discoveredBy
        self.receiptID = receiptID
    }
}
