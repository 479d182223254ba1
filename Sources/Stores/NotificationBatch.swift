// SPDX-License-Identifier: Apache-2.0

package import Model

/// Some notifications that were fetched together.
package struct NotificationBatch: Sendable {
    package let notifications: [RawNotification]
    /// With these everything up to here was fetched; nil where that cannot be said yet.
    package let readUntil: Instant?
    /// Acknowledgements to send to the store once these notifications are committed.
    package let acknowledgements: [Secret]

    package init(notifications: [RawNotification], readUntil: Instant? = nil, acknowledgements: [Secret] = []) {
        self.notifications = notifications
        self.readUntil = readUntil
        self.acknowledgements = acknowledgements
    }
}
