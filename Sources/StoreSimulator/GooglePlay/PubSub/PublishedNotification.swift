// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A notification as Pub/Sub's messages carry it, with its place among all that were ever published.
struct PublishedNotification: Sendable {
    var number: Int
    var packageName: String
    var token: String
    var notification: PlayNotification

    /// `delivery`: each time it is handed out, it is acknowledged by another id.
    func received(_ delivery: Int) throws -> WireObject {
        let message: WireObject = [
            "data": Data(try developerNotification.bytes()).base64EncodedString(),
            "messageId": String(7_000_000_000_000_000 + number), "publishTime": PlayJSON.time(notification.at),
        ]
        return ["ackId": "\(number)-\(delivery)", "message": message]
    }

    /// `DeveloperNotification`.
    private var developerNotification: WireObject {
        var sent: WireObject = [
            "version": "1.0", "packageName": packageName, "eventTimeMillis": PlayJSON.milliseconds(notification.at),
        ]
        switch notification.content {
        case .subscription(let kind):
            let info: WireObject = [
                "version": "1.0", "notificationType": kind.rawValue, "purchaseToken": token,
            ]
            sent["subscriptionNotification"] = info
        case .oneTime(let number, let product):
            let info: WireObject = [
                "version": "1.0", "notificationType": number, "purchaseToken": token,
                "sku": product.identifier(in: packageName),
            ]
            sent["oneTimeProductNotification"] = info
        case .voided(let orderID, let isOneTime, let isOfUnits):
            // Of a subscription or sold once; all of it or some units.
            let info: WireObject = [
                "purchaseToken": token, "orderId": orderID, "productType": isOneTime ? 2 : 1,
                "refundType": isOfUnits ? 2 : 1,
            ]
            sent["voidedPurchaseNotification"] = info
        }
        return sent
    }
}
