// SPDX-License-Identifier: Apache-2.0

import HTTP
import Model

/// One configured app: what it shares with every app, and what its store needs.
struct AppConfiguration: Sendable {
    /// What one kind of store needs.
    enum StoreSettings: Sendable {
        case appStore(AppStoreSettings)
        case googlePlay(GooglePlaySettings)
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
    var store: StoreSettings

    var kind: StoreKind {
        switch store {
        case .appStore: .appStore
        case .googlePlay: .googlePlay
        }
    }

    /// The owner also sells on billing of his own: such sales make no order at the store.
    var hasOwnBilling: Bool {
        if case .googlePlay(let settings) = store { settings.hasOwnBilling } else { false }
    }

    /// Its subscriptions are read from receipts, so a receipt may stand in for a store key.
    var readsReceipts: Bool {
        guard case .appStore(let settings) = store, case .verifyReceipt = settings.api else { return false }
        return true
    }
}

/// What an App Store app needs.
struct AppStoreSettings: Sendable {
    enum API: Sendable {
        case server(Server)
        case verifyReceipt(Receipts)
    }

    struct Server: Sendable {
        var issuerID: String
        var keyID: String
        var privateKey: Secret
        /// DER or PEM.
        var rootCertificate: [UInt8]
        /// What proves version 1 notifications.
        var sharedSecret: Secret?
        /// Nil: the store's own address.
        var productionURL: String?
        var sandboxURL: String?
    }

    struct Receipts: Sendable {
        var sharedSecret: Secret
        /// Nil: the store's own address.
        var productionURL: String?
        var sandboxURL: String?
    }

    var bundleID: String
    var appAppleID: Int64?
    var api: API
}

/// What a Google Play app needs.
struct GooglePlaySettings: Sendable {
    enum API: String, Sendable, CaseIterable { case v1, v2 }

    enum Credentials: Sendable {
        /// The service account's key file, JSON.
        case serviceAccount(Secret)
        case refreshToken(clientID: String, clientSecret: Secret, refreshToken: Secret)
    }

    var packageName: String
    var api: API
    var credentials: Credentials
    var tokenURL: String?
    var licenceKey: Secret?
    var baseURL: String?
    var pubsubSubscription: String?
    var pubsubURL: String?
    /// The owner also sells on billing of his own.
    var hasOwnBilling = false
}
