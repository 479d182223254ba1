// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signing
import TestSupport

/// Notifications as the stores' documents show them, to be changed member by member.
enum SampleNotifications {
    typealias Object = [String: Any]

    /// 2026-03-10T11:00:00Z.
    static let signed: Int64 = 1_773_140_400_000

    static func transaction(_ id: String, _ changes: [String: Any?] = [:]) -> Object {
        changed(
            [
                "transactionId": id + "9", "originalTransactionId": id, "webOrderLineItemId": "9002",
                "bundleId": "com.acme.app", "productId": "gold.month", "subscriptionGroupIdentifier": "77",
                "purchaseDate": 1_772_323_200_000, "expiresDate": 1_775_001_600_000, "quantity": 1,
                "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED", "signedDate": signed,
                "environment": "Production", "storefront": "DEU", "transactionReason": "RENEWAL", "currency": "EUR",
                "price": 9990,
            ], changes)
    }

    static func renewal(_ id: String, _ changes: [String: Any?] = [:]) -> Object {
        changed(
            [
                "originalTransactionId": id, "productId": "gold.month", "autoRenewProductId": "gold.month",
                "autoRenewStatus": 1, "signedDate": signed, "environment": "Production",
            ], changes)
    }

    /// `data` of a version 2 notification.
    static func data(
        _ transaction: Object?, _ renewal: Object? = nil, _ changes: [String: Any?] = [:]
    ) throws -> Object {
        let store = try SigningStore.shared.get()
        var data: Object = [
            "environment": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.acme.app", "bundleVersion": "7",
            "status": 1,
        ]
        if let transaction { data["signedTransactionInfo"] = try store.sign(transaction) }
        if let renewal { data["signedRenewalInfo"] = try store.sign(renewal) }
        return changed(data, changes)
    }

    static func payload(_ type: String, _ subtype: String? = nil, uuid: String, data: Object?) -> Object {
        var payload: Object = [
            "notificationType": type, "notificationUUID": uuid, "version": "2.0", "signedDate": signed,
        ]
        payload["subtype"] = subtype
        payload["data"] = data
        return payload
    }

    /// As the App Store posts it.
    static func envelope(_ payload: Object, by store: SigningStore? = nil) throws -> String {
        json(["signedPayload": try (store ?? SigningStore.shared.get()).sign(payload)])
    }

    /// A whole version 2 notification about a subscription.
    static func v2(
        _ type: String = "DID_RENEW", _ subtype: String? = nil, id: String = "2001", uuid: String = "uuid-1"
    ) throws -> String {
        try envelope(payload(type, subtype, uuid: uuid, data: data(transaction(id), renewal(id))))
    }

    /// The sample of version 1, as an object.
    static func sample() throws -> Object {
        let value = try JSONSerialization.jsonObject(with: Data(try sampleText().utf8))
        guard let object = value as? Object else { throw TestSupportError("the fixture is no object") }
        return object
    }

    static func sampleText() throws -> String { try fixture("notification_v1_did_renew.json") }

    static func fixture(_ name: String) throws -> String {
        guard let url = Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil) else {
            throw TestSupportError("the fixture \(name) is missing")
        }
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    /// A version 1 notification of `acme-ios`, without a receipt.
    static func v1(_ type: String, id: String, _ changes: [String: Any?] = [:]) -> String {
        json(
            changed(
                [
                    "notification_type": type, "password": NotificationWorld.secret, "environment": "PROD",
                    "bid": "com.acme.app", "bvrs": "7", "auto_renew_product_id": "gold.month",
                    "original_transaction_id": id,
                ], changes))
    }

    /// A developer notification about `com.acme.app`.
    static func rtdn(_ member: String, _ event: Object, _ changes: [String: Any?] = [:]) -> String {
        json(
            changed(
                [
                    "version": "1.0", "packageName": "com.acme.app", "eventTimeMillis": "1773140400000",
                    member: event,
                ], changes))
    }

    /// The same, as Pub/Sub pushes it.
    static func pushed(_ notification: String, id: String) -> String {
        json([
            "message": [
                "data": Base64.encode(Array(notification.utf8)), "messageId": id, "publishTime": "2026-03-10T11:00:00Z",
            ],
            "subscription": "projects/acme/subscriptions/play",
        ])
    }

    static func subscription(_ number: Int, token: String) -> String {
        rtdn("subscriptionNotification", ["version": "1.0", "notificationType": number, "purchaseToken": token])
    }

    static func json(_ object: Any) -> String {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    static func changed(_ object: Object, _ changes: [String: Any?]) -> Object {
        var object = object
        for (name, value) in changes { object[name] = value }
        return object
    }
}
