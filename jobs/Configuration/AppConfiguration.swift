// SPDX-License-Identifier: Apache-2.0

import AppStore
import GooglePlay
import HTTP
import Model
import Stores

/// One configured app: what it shares with every app, and what its store needs.
struct AppConfiguration: Sendable {
    /// The app in its store's own words.
    enum StoreConfiguration: Sendable {
        case appStore(AppStoreConfiguration)
        case googlePlay(GooglePlayConfiguration)
    }

    /// What became of the files that it names.
    enum Files: Hashable, Sendable {
        /// By a job that has no need of them.
        case unread
        case read
        /// It cannot be asked about: a line for each of them that cannot be used.
        case unusable([String])
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
    /// From that day on it is asked about no more; nil: never.
    var retiredOn: BusinessDate?
    /// Its name for people; nil: its id.
    var title: String?
    var files = Files.unread

    /// A notification of this app as people may read it, which takes none of its keys; nil where it is none.
    func readable(_ notification: RawNotification) -> [UInt8]? {
        switch store {
        case .appStore: AppStoreConfiguration.readable(notification)
        case .googlePlay: GooglePlayConfiguration.readable(notification)
        }
    }

    func isRetired(on day: BusinessDate) -> Bool { retiredOn.map { $0 <= day } ?? false }

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
