// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import HTTP
import Logging
import Model
import Stores

@testable import AppStore
import TestSupport

/// Rows of the App Store as its documents show them, to be changed member by member.
enum Rows {
    /// 2026-03-01T00:00:00Z.
    static let march: Int64 = 1_772_323_200_000
    /// 2026-04-01T00:00:00Z.
    static let april: Int64 = 1_775_001_600_000
    /// 2026-03-10T12:00:00Z.
    static let signed: Int64 = 1_773_144_000_000

    /// A monthly period of March, paid in euros in Germany.
    static func transaction(_ changes: [String: Any?] = [:]) -> [String: Any] {
        changed(
            [
                "transactionId": "2002", "originalTransactionId": "2001", "webOrderLineItemId": "9002",
                "bundleId": "com.acme.app", "productId": "gold.month", "subscriptionGroupIdentifier": "77",
                "purchaseDate": march, "originalPurchaseDate": march, "expiresDate": april, "quantity": 1,
                "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": signed,
                "environment": "Production", "storefront": "DEU", "storefrontId": "143443",
                "transactionReason": "RENEWAL", "currency": "EUR", "price": 9990,
            ], changes)
    }

    static func renewal(_ changes: [String: Any?] = [:]) -> [String: Any] {
        changed(
            [
                "originalTransactionId": "2001", "productId": "gold.month", "autoRenewProductId": "gold.month",
                "autoRenewStatus": 1, "signedDate": signed, "environment": "Production", "renewalDate": april,
                "isInBillingRetryPeriod": false,
            ], changes)
    }

    /// The answer to Get All Subscription Statuses with one subscription in it.
    static func statuses(
        status: Int = 1, _ transaction: [String: Any] = transaction(), _ renewal: [String: Any]? = renewal()
    ) throws -> [UInt8] {
        try statuses([entry(status: status, transaction, renewal)])
    }

    static func statuses(_ entries: [[String: Any]], _ changes: [String: Any?] = [:]) throws -> [UInt8] {
        try json(
            changed(
                [
                    "environment": "Production", "bundleId": "com.acme.app", "appAppleId": 1_234_567_890,
                    "data": [["subscriptionGroupIdentifier": "77", "lastTransactions": entries] as [String: Any]],
                ], changes))
    }

    static func entry(
        status: Int = 1, _ transaction: [String: Any] = transaction(), _ renewal: [String: Any]? = renewal()
    ) throws -> [String: Any] {
        let store = try SigningStore.shared.get()
        var entry: [String: Any] = ["status": status]
        entry["originalTransactionId"] = transaction["originalTransactionId"]
        entry["signedTransactionInfo"] = try store.sign(transaction)
        if var renewal {
            // The store renews at the expiry, unless the test says otherwise.
            if renewal["renewalDate"] as? Int64 == april { renewal["renewalDate"] = transaction["expiresDate"] }
            entry["signedRenewalInfo"] = try store.sign(renewal)
        }
        return entry
    }

    static func history(_ transactions: [[String: Any]], revision: String?, hasMore: Bool = false) throws -> [UInt8] {
        let store = try SigningStore.shared.get()
        return try json(
            changed(
                [
                    "environment": "Production", "bundleId": "com.acme.app", "hasMore": hasMore,
                    "signedTransactions": transactions.map(store.sign),
                ], ["revision": revision]))
    }

    static func json(_ object: Any) throws -> [UInt8] { Array(try JSONSerialization.data(withJSONObject: object)) }

    private static func changed(_ object: [String: Any], _ changes: [String: Any?]) -> [String: Any] {
        var object = object
        for (name, value) in changes { object[name] = value }
        return object
    }
}

/// The app, its subscriptions and a store to read them.
enum Acme {
    static let now = Instant(milliseconds: Rows.signed)

    static func configuration(
        url: String = "https://store.example", sandboxURL: String? = nil,
        environment: PurchaseEnvironment = .production
    ) throws -> AppStoreConfiguration {
        let store = try SigningStore.shared.get()
        return AppStoreConfiguration(
            appID: AppID("acme-ios"), bundleID: "com.acme.app", appAppleID: 1_234_567_890, environment: environment,
            api: .server(
                AppStoreConfiguration.Server(
                    issuerID: "issuer", keyID: "2X9R4HXF34", signer: store.signer,
                    rootCertificate: store.root, productionURL: url, sandboxURL: sandboxURL ?? url + "/sandbox")))
    }

    static func receipts(bundleID: String = "com.acme.app", url: String = "https://store.example")
        -> AppStoreConfiguration
    {
        AppStoreConfiguration(
            appID: AppID("acme-ios"), bundleID: bundleID,
            api: .verifyReceipt(
                AppStoreConfiguration.Receipts(
                    sharedSecret: Secret("shared-canary"), productionURL: url + "/verifyReceipt",
                    sandboxURL: url + "/sandbox/verifyReceipt")))
    }

    static func due(
        _ storeKey: String = "2001", environment: PurchaseEnvironment? = .production, answeredBefore: Bool = true,
        cursor: String? = nil, historyReach: HistoryReach = .asNeeded, receipt: Receipt? = nil,
        known: [KnownPeriod] = []
    ) -> DueSubscription {
        let key = SubscriptionKey(appID: AppID("acme-ios"), storeKey: storeKey)
        let snapshot = SubscriptionSnapshot(
            state: answeredBefore ? .active : .unverified, lastCheckedAt: answeredBefore ? now - .days(1) : nil)
        return DueSubscription(
            key: key, lineageKey: key, appID: AppID("acme-ios"), storeKey: Secret(storeKey), environment: environment,
            accountID: nil, productID: nil, country: nil, snapshot: snapshot, historyCursor: cursor,
            historyReach: historyReach, receipt: receipt, known: known)
    }

    /// March, as the row of `Rows.transaction` would be known; other months by their number of days.
    static func known(
        _ transactionID: String = "2002", periodKey: String = "9002", product: String = "gold.month",
        start: Int64 = Rows.march, end: Int64 = Rows.april
    ) -> KnownPeriod {
        KnownPeriod(
            PeriodFacts(
                transactionID: transactionID, periodKey: periodKey, productID: product,
                purchasedAt: Instant(milliseconds: start), start: Instant(milliseconds: start),
                end: Instant(milliseconds: end)), kind: .renewal)
    }

    /// Reads an answer of statuses and, where given, history pages.
    static func read(
        _ statuses: [UInt8], history: [[UInt8]] = [], due: DueSubscription = due(),
        environment: PurchaseEnvironment = .production
    ) throws -> Reading {
        let store = try configuration().store(clock: { now })
        let documents =
            [StoreAnswer.Document(endpoint: "statuses", body: statuses)]
            + history.map { StoreAnswer.Document(endpoint: "history", body: $0) }
        return try store.read(
            StoreAnswer(
                inquiry: Inquiry(subscriptions: [due]), environment: environment, documents: documents, answeredAt: now)
        )
    }

    /// A client in a hurry.
    static func client() -> ThrottledClient {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return ThrottledClient(
            client: HTTPClient(HTTPClientConfiguration(version: .http1), logger: logger), appID: AppID("acme-ios"),
            quota: Quota(Pace(requestsPerSecond: 20_000, published: 50)), maxInFlight: 8,
            backoff: Backoff(base: .milliseconds(1), attempts: 3), budget: SharedRetryBudget(), logger: logger)
    }
}
