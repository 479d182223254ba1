// SPDX-License-Identifier: Apache-2.0

import Stores

/// What the App Store posts to the owner's webhook, and lists in its history: the signed text in an envelope.
struct NotificationEnvelope: JSONReadable {
    let signedPayload: String?

    init(_ fields: Fields) { signedPayload = fields.text("signedPayload") }
}
