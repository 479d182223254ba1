// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

typealias Object = [String: any Sendable]

/// Rows and answers of the App Store as its documents show them, to be changed member by member.
enum Apple {
    /// 2026-03-01T00:00:00Z.
    static let march: Int64 = 1_772_323_200_000
    /// 2026-04-01T00:00:00Z.
    static let april: Int64 = 1_775_001_600_000
    /// 2026-03-10T12:00:00Z.
    static let signed: Int64 = 1_773_144_000_000

    /// A monthly period of March, paid in euros in Germany.
    static func transaction(_ changes: [String: (any Sendable)?] = [:]) -> Object {
        changed(
            [
                "transactionId": "2001", "originalTransactionId": "2001", "webOrderLineItemId": "9001",
                "bundleId": "com.acme.app", "productId": "gold.month", "subscriptionGroupIdentifier": "77",
                "purchaseDate": march, "originalPurchaseDate": march, "expiresDate": april, "quantity": 1,
                "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": signed,
                "environment": "Production", "storefront": "DEU", "transactionReason": "PURCHASE", "currency": "EUR",
                "price": 9990,
            ], changes)
    }

    static func sign(_ row: Object) throws -> String { try SigningStore.shared.get().sign(row) }

    /// The same row under a chain that ends at a stranger's root.
    static func forge(_ row: Object) throws -> String { try stranger.get().sign(row) }

    private static let stranger = Result { try SigningStore() }

    static func statuses(_ row: Object, status: Int = 1) throws -> String {
        let environment = row["environment"] ?? "Production"
        let renewal: Object = [
            "originalTransactionId": row["originalTransactionId"] ?? "", "productId": "gold.month",
            "autoRenewProductId": "gold.month", "autoRenewStatus": status == 1 ? 1 : 0, "signedDate": signed,
            "environment": environment, "renewalDate": april, "isInBillingRetryPeriod": false,
            "expirationIntent": status == 1 ? 0 : 1,
        ]
        let last: Object = [
            "status": status, "originalTransactionId": row["originalTransactionId"] ?? "",
            "signedTransactionInfo": try sign(row), "signedRenewalInfo": try sign(renewal),
        ]
        let group: Object = ["subscriptionGroupIdentifier": "77", "lastTransactions": [last]]
        return json([
            "environment": environment, "bundleId": "com.acme.app", "appAppleId": 1_234_567_890, "data": [group],
        ])
    }

    static func history(_ rows: [Object]) throws -> String {
        json([
            "environment": rows.first?["environment"] ?? "Production", "bundleId": "com.acme.app",
            "appAppleId": 1_234_567_890, "revision": "r1", "hasMore": false, "signedTransactions": try rows.map(sign),
        ])
    }

    static func json(_ object: Object) -> String {
        (try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)).map {
            String(decoding: $0, as: UTF8.self)
        } ?? ""
    }

    static func changed(_ object: Object, _ changes: [String: (any Sendable)?]) -> Object {
        var object = object
        for (name, value) in changes { object[name] = value }
        return object
    }
}

extension StoreDesk {
    /// The App Store reports this subscription, under its own id and under any other id of it.
    func report(_ row: Object, status: Int = 1, askedWith id: String = "2001") throws {
        let root = row["environment"] as? String == "Sandbox" ? "/sandbox" : ""
        on("\(root)/inApps/v1/subscriptions/\(id)", 200, try Apple.statuses(row, status: status))
        on("\(root)/inApps/v2/history/\(id)", 200, try Apple.history([row]))
    }
}
