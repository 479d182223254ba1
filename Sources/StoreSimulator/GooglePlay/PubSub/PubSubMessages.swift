// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is sent to Pub/Sub, and what a notification looks like in its messages.
enum PubSubMessages {
    /// A notification with its place among all that were ever published.
    struct Published: Sendable {
        var number: Int
        var packageName: String
        var token: String
        var notification: PlayNotification

        /// `delivery`: each time it is handed out, it is acknowledged by another id.
        func received(_ delivery: Int) throws -> WireObject {
            let message: WireObject = [
                "data": Data(try WireObject.bytes(of: developerNotification)).base64EncodedString(),
                "messageId": String(7_000_000_000_000_000 + number), "publishTime": PlayJSON.time(notification.at),
            ]
            return ["ackId": "\(number)-\(delivery)", "message": message]
        }

        /// `DeveloperNotification`.
        private var developerNotification: WireObject {
            var sent: WireObject = [
                "version": "1.0", "packageName": packageName,
                "eventTimeMillis": PlayJSON.milliseconds(notification.at),
            ]
            switch notification.content {
            case .subscription(let kind):
                sent["subscriptionNotification"] =
                    ["version": "1.0", "notificationType": kind.rawValue, "purchaseToken": token] as WireObject
            case .oneTime(let number, let product):
                sent["oneTimeProductNotification"] =
                    [
                        "version": "1.0", "notificationType": number, "purchaseToken": token,
                        "sku": product.identifier(in: packageName),
                    ] as WireObject
            case .voided(let orderID, let isOneTime, let isOfUnits):
                // Of a subscription or sold once; all of it or some units.
                sent["voidedPurchaseNotification"] =
                    [
                        "purchaseToken": token, "orderId": orderID, "productType": isOneTime ? 2 : 1,
                        "refundType": isOfUnits ? 2 : 1,
                    ] as WireObject
            }
            return sent
        }
    }

    struct PullRequest: Decodable {
        var maxMessages: Int?
        /// Deprecated.
        var returnImmediately: Bool?
    }

    struct AckRequest: Decodable {
        var ackIds: [String]
        var ackDeadlineSeconds: Int64?
    }
}
