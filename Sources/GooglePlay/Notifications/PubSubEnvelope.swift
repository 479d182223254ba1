// SPDX-License-Identifier: Apache-2.0

import Model
import Signing
import Stores

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
