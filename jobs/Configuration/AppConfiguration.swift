// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import HTTP
import Model

/// One configured app: what it shares with every app, and what its store needs.
struct AppConfiguration: Sendable {
    /// The app in its store's own words.
    enum StoreConfiguration: Sendable {
        case appStore(AppStoreConfiguration)
        case googlePlay(GooglePlayConfiguration)
    }

    var id: AppID
    var environment: PurchaseEnvironment
    /// ISO 3166-1 alpha-2, assumed where the store names no country.
    var defaultCountry: String?
    var httpVersion: HTTPVersion
    /// A PEM file with the only certificate authorities to trust; nil trusts the system's.
    var authorityFile: String?
    var requestsPerSecond: Double
    /// Apps of one store that name the same quota share one pace; nil: as their store counts.
    var quota: String?
    var maxInFlight: Int
    var store: StoreConfiguration
    /// The owner also sells on billing of his own: such sales make no order at the store.
    var hasOwnBilling = false

    var kind: StoreKind {
        switch store {
        case .appStore: .appStore
        case .googlePlay: .googlePlay
        }
    }

    /// Its subscriptions are read from receipts, so a receipt may replace a store key.
    var readsReceipts: Bool {
        guard case .appStore(let configuration) = store, case .verifyReceipt = configuration.api else { return false }
        return true
    }
}
