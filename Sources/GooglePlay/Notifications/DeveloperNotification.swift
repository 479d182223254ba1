// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

/// `DeveloperNotification`: what Google Play publishes about one purchase. Its numbers are read leniently; a member or a
/// number that is unknown here is stored by its name.
struct DeveloperNotification: JSONReadable {
    /// The member that says what happened, by its name in the document.
    struct Event {
        let member: String
        /// Nil where the member has none.
        let number: Int64?
        let purchaseToken: Secret?
        /// Absent in newer ones: the purchase itself names it.
        let productID: String?
        let orderID: String?
        let productType: Int64?
    }

    private static let envelope: Set<String> = ["version", "packageName", "eventTimeMillis"]

    let packageName: String?
    /// Nil where there is none at all.
    let event: Event?

    init(_ fields: Fields) {
        packageName = fields.text("packageName")
        // An empty member counts: its presence is the signal.
        event =
            fields.names(outside: Self.envelope).sorted().lazy.compactMap { name in
                fields.object(name).map { Event(name, $0) }
            }.first
    }
}

extension DeveloperNotification.Event {
    fileprivate init(_ member: String, _ fields: Fields) {
        self.member = member
        number = fields.integer("notificationType")
        purchaseToken = fields.text("purchaseToken").map(Secret.init)
        productID = fields.text("subscriptionId") ?? fields.text("sku")
        orderID = fields.text("orderId")
        productType = fields.integer("productType")
    }
}

/// A notification on its way through Pub/Sub: pushed, pulled, or bare, where Pub/Sub is set to unwrap.
struct PubSubEnvelope: JSONReadable {
    /// Pub/Sub's message.
    struct Message: JSONReadable {
        /// Base64 of the notification.
        let data: String?
        let id: String?

        init(_ fields: Fields) {
            data = fields.text("data")
            id = fields.text("messageId") ?? fields.text("message_id")
        }
    }

    let message: Message?

    init(_ fields: Fields) { message = fields.value("message") }

    /// The notification in a payload, and Pub/Sub's id of its message where it has one.
    static func open(_ payload: String) throws(NotificationRefusal) -> (json: [UInt8], messageID: String?) {
        guard payload.contains(where: { !$0.isWhitespace }) else { throw .empty }
        let bytes = Array(payload.utf8)
        guard let envelope = PubSubEnvelope(json: bytes) else { throw .notJSON }
        guard let message = envelope.message else { return (bytes, nil) }
        guard let data = message.data else { throw .empty }
        guard let json = Base64.decode(data) else { throw .notJSON }
        return (json, message.id?.asPlainWord())
    }
}
