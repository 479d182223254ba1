// SPDX-License-Identifier: Apache-2.0

import Foundations
package import Model
import Signing

/// A notification as it came in, not verified yet.
package struct RawNotification: Sendable {
    package let source: NotificationSource
    /// Holds passwords, receipts and tokens: never printed.
    package let payload: Secret

    package init(source: NotificationSource, payload: Secret) {
        self.source = source
        self.payload = payload
    }

    /// The key of a notification without an id of its own: the same text has the same key.
    package var textKey: String { "sha256:" + Hex.encode(SHA256.digest(of: payload.reveal())) }
}
