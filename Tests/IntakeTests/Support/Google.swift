// SPDX-License-Identifier: Apache-2.0

import Model
import TestSupport

/// Purchases of Google Play.
///
/// The v1 purchase and its answer are ones that were seen; the key that signs is the tests' own.
enum Google {
    static let sample = "google_in_app_purchase_data"
    static let applications = "/androidpublisher/v3/applications"
    static let v1 = applications + "/jp.example.app/purchases/subscriptions/example/tokens/xxx..."
    static let v2 = applications + "/com.acme.app/purchases/subscriptionsv2/tokens/token-1"
    /// 2018-12-11T08:10:00Z, inside the five minutes of the sample.
    static let then = Instant(milliseconds: 1_544_515_800_000)

    static func data(_ package: String = "com.acme.app", product: String = "gold.month") -> String {
        #"{"orderId":"GPA.3300-1111-2222-33333","packageName":"\#(package)","productId":"\#(product)","#
            + #""purchaseTime":1772323200000,"purchaseState":0,"purchaseToken":"token-1","autoRenewing":true}"#
    }

    /// March, running, in the newer interface.
    static func report(_ desk: StoreDesk, changing changes: Object = [:]) {
        let item: Object = [
            "productId": "gold.month", "expiryTime": "2026-04-01T00:00:00Z",
            "latestSuccessfulOrderId": "GPA.3300-1111-2222-33333",
            "autoRenewingPlan": ["autoRenewEnabled": true] as Object,
        ]
        let purchase: Object = [
            "regionCode": "DE", "startTime": "2026-03-01T00:00:00Z",
            "subscriptionState": "SUBSCRIPTION_STATE_ACTIVE", "lineItems": [item],
        ]
        let euros: Object = ["currencyCode": "EUR", "units": "9", "nanos": 990_000_000]
        let line: Object = [
            "productId": "gold.month", "total": euros,
            "subscriptionDetails": [
                "servicePeriodStartTime": "2026-03-01T00:00:00Z", "servicePeriodEndTime": "2026-04-01T00:00:00Z",
            ] as Object,
        ]
        let order: Object = [
            "orderId": "GPA.3300-1111-2222-33333", "purchaseToken": "token-1", "state": "PROCESSED",
            "createTime": "2026-03-01T00:00:01Z", "lastEventTime": "2026-03-01T00:00:05Z", "total": euros,
            "lineItems": [line],
        ]
        desk.on(v2, 200, Apple.json(purchase.merging(changes) { $1 }))
        desk.on(applications + "/com.acme.app/orders:batchGet", 200, Apple.json(["orders": [order]]))
    }
}
