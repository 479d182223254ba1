// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The shapes of Pub/Sub's answers, and of the notifications in its messages.
enum PubSubMessages {
    /// `DeveloperNotification`.
    struct Notification: Encodable {
        struct Subscription: Encodable {
            var version = "1.0"
            var notificationType: Int
            var purchaseToken: String
        }
        struct OneTime: Encodable {
            var version = "1.0"
            var notificationType: Int
            var purchaseToken: String
            var sku: String
        }
        struct Voided: Encodable {
            var purchaseToken: String
            var orderId: String
            /// 1 subscription, 2 sold once.
            var productType: Int
            /// 1 all of it, 2 some units.
            var refundType: Int
        }
        var version = "1.0"
        var packageName: String
        var eventTimeMillis: String
        var subscriptionNotification: Subscription?
        var oneTimeProductNotification: OneTime?
        var voidedPurchaseNotification: Voided?

        init(_ published: Published) {
            packageName = published.packageName
            eventTimeMillis = PlayJSON.milliseconds(published.notification.at)
            switch published.notification.content {
            case .subscription(let kind):
                subscriptionNotification = Subscription(notificationType: kind.rawValue, purchaseToken: published.token)
            case .oneTime(let number, let product):
                oneTimeProductNotification = OneTime(
                    notificationType: number, purchaseToken: published.token,
                    sku: product.identifier(in: published.packageName))
            case .voided(let orderID, let isOneTime, let isOfUnits):
                voidedPurchaseNotification = Voided(
                    purchaseToken: published.token, orderId: orderID, productType: isOneTime ? 2 : 1,
                    refundType: isOfUnits ? 2 : 1)
            }
        }
    }

    struct Answer: Encodable {
        /// Left out where there is none.
        var receivedMessages: [Received]?
    }

    struct Received: Encodable {
        struct Message: Encodable {
            var data: String
            var messageId: String
            var publishTime: String
        }
        var ackId: String
        var message: Message
    }

    /// A notification with its place among all that were ever published.
    struct Published: Sendable {
        var number: Int
        var packageName: String
        var token: String
        var notification: PlayNotification

        var messageID: String { String(7_000_000_000_000_000 + number) }

        /// `delivery`: each time it is handed out, it is acknowledged by another id.
        func received(_ delivery: Int) throws -> Received {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return Received(
                ackId: "\(number)-\(delivery)",
                message: .init(
                    data: try encoder.encode(Notification(self)).base64EncodedString(), messageId: messageID,
                    publishTime: PlayJSON.time(notification.at)))
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
