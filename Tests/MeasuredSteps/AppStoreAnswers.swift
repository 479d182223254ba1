// SPDX-License-Identifier: Apache-2.0

import AppStore
import Foundation
import Model
import Stores
import TestSupport

/// Answers of the App Store Server API about customers with so many monthly renewals, signed by a store of our own.
struct AppStoreAnswers {
    /// 2026-03-10T12:00:00Z.
    static let now = Instant(milliseconds: 1_773_144_000_000)
    private static let month: Int64 = 30 * 86_400_000
    static let appID = AppID("acme-ios")

    let signing: SigningStore
    let store: any Store

    init(signedBy signing: SigningStore) throws {
        self.signing = signing
        let configuration = AppStoreConfiguration(
            appID: Self.appID, bundleID: "com.acme.app", appAppleID: 1_234_567_890, environment: .production,
            api: .server(
                AppStoreConfiguration.Server(
                    issuerID: "issuer", keyID: "2X9R4HXF34", signer: signing.signer,
                    rootCertificate: signing.root, productionURL: "https://store.example",
                    sandboxURL: "https://store.example/sandbox")))
        store = try configuration.store(clock: { Self.now })
    }

    /// The first answer about a customer: statuses, and the history of that many transactions.
    func first(of customer: Int, transactions count: Int) throws -> StoreAnswer {
        let rows = (0..<count).map { transaction($0, before: count, of: customer) }
        let history: [String: Any] = [
            "environment": "Production", "bundleId": "com.acme.app", "appAppleId": 1_234_567_890, "hasMore": false,
            "revision": "r", "signedTransactions": try rows.map(signing.sign),
        ]
        return answer(
            about: customer, wasAnswered: false,
            [try statuses(customer, rows.last ?? [:]), document("history", history)])
    }

    /// The answer about one whose history is known: statuses alone.
    func steady(of customer: Int) throws -> StoreAnswer {
        answer(about: customer, wasAnswered: true, [try statuses(customer, transaction(0, before: 1, of: customer))])
    }

    private func transaction(_ number: Int, before count: Int, of customer: Int) -> [String: Any] {
        let start = Self.now.milliseconds - Int64(count - number) * Self.month + Self.month / 2
        return [
            "transactionId": "\(customer)-\(number)", "originalTransactionId": "\(customer)",
            "webOrderLineItemId": "\(customer)-w\(number)", "bundleId": "com.acme.app", "productId": "gold.month",
            "subscriptionGroupIdentifier": "77", "purchaseDate": start, "originalPurchaseDate": start,
            "expiresDate": start + Self.month, "quantity": 1, "type": "Auto-Renewable Subscription",
            "inAppOwnershipType": "PURCHASED", "signedDate": Self.now.milliseconds, "environment": "Production",
            "storefront": "DEU", "storefrontId": "143443", "transactionReason": number == 0 ? "PURCHASE" : "RENEWAL",
            "currency": "EUR", "price": 9990,
        ]
    }

    private func statuses(_ customer: Int, _ latest: [String: Any]) throws -> StoreAnswer.Document {
        let renewal: [String: Any] = [
            "originalTransactionId": "\(customer)", "productId": "gold.month", "autoRenewProductId": "gold.month",
            "autoRenewStatus": 1, "signedDate": Self.now.milliseconds, "environment": "Production",
            "renewalDate": latest["expiresDate"] ?? 0, "isInBillingRetryPeriod": false,
        ]
        let entry: [String: Any] = [
            "status": 1, "originalTransactionId": "\(customer)", "signedTransactionInfo": try signing.sign(latest),
            "signedRenewalInfo": try signing.sign(renewal),
        ]
        return document(
            "statuses",
            [
                "environment": "Production", "bundleId": "com.acme.app", "appAppleId": 1_234_567_890,
                "data": [["subscriptionGroupIdentifier": "77", "lastTransactions": [entry]] as [String: Any]],
            ])
    }

    private func document(_ endpoint: String, _ body: [String: Any]) -> StoreAnswer.Document {
        let json = (try? JSONSerialization.data(withJSONObject: body, options: .sortedKeys)) ?? Data()
        return StoreAnswer.Document(endpoint: endpoint, body: Array(json))
    }

    private func answer(
        about customer: Int, wasAnswered: Bool, _ documents: [StoreAnswer.Document]
    ) -> StoreAnswer {
        let key = SubscriptionKey(appID: Self.appID, storeKey: "\(customer)")
        let due = DueSubscription(
            key: key, lineageKey: key, appID: Self.appID, storeKey: Secret("\(customer)"), environment: .production,
            accountID: nil, productID: nil, country: nil,
            snapshot: SubscriptionSnapshot(
                state: wasAnswered ? .active : .unverified, lastCheckedAt: wasAnswered ? Self.now - .days(1) : nil),
            historyCursor: nil, receipt: nil, known: [])
        return StoreAnswer(
            inquiry: Inquiry(subscriptions: [due]), environment: .production, documents: documents, answeredAt: Self.now
        )
    }
}
