// SPDX-License-Identifier: Apache-2.0

/// Why a notification is not believed.
///
/// Neither part ever repeats anything of it.
package struct NotificationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// A short word for counting.
    package let reason: String
    /// A sentence: what is wrong, and what to do where that helps.
    package let detail: String

    package init(reason: String, detail: String) {
        self.reason = reason
        self.detail = detail
    }

    package var description: String { "\(reason): \(detail)" }

    /// The reason of one that its store did not sign.
    package static let unverified = "not_verified"

    package static let notOfThisStore = NotificationRefusal(
        reason: "wrong_source", detail: "The app's store sends no notifications of this source.")
    package static let empty = NotificationRefusal(reason: "empty_payload", detail: "There is nothing in it.")
    package static let notJSON = NotificationRefusal(
        reason: "malformed_json", detail: "The payload is not the JSON that the store documents.")
    package static let otherApp = NotificationRefusal(
        reason: "wrong_app", detail: "The notification is about another app, or names none.")
}
