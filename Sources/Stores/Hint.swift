// SPDX-License-Identifier: Apache-2.0

import Foundations
package import Model
import Signing

/// Which of the stores' notifications a payload is.
package enum NotificationSource: String, Sendable, CaseIterable {
    case appStoreV1 = "app_store_v1"
    case appStoreV2 = "app_store_v2"
    /// Google Play's real-time developer notifications, through Pub/Sub.
    case playRTDN = "play_rtdn"
}

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

/// What a notification is about, once it was found to be the store's own.
package struct Hint: Sendable {
    /// A subscription that it makes due.
    package struct Target: Hashable, Sendable {
        package enum Name: Hashable, Sendable {
            /// By what the store is asked with.
            case storeKey(Secret)
            /// By one of its transactions, which we may know.
            case transaction(String)
        }

        package let name: Name
        /// It certainly is a subscription: one that is not registered yet is registered.
        package let isRegistrable: Bool
        package let productID: String?
        package let environment: PurchaseEnvironment?
        /// What it can be asked with, in apps that are read by receipts.
        package let receipt: Secret?
        /// The transaction that it reports as changed.
        package let changedRow: ChangedRow?

        package init(
            _ name: Name, isRegistrable: Bool, productID: String? = nil, environment: PurchaseEnvironment? = nil,
            receipt: Secret? = nil, changedRow: ChangedRow? = nil
        ) {
            self.name = name
            self.isRegistrable = isRegistrable
            self.productID = productID
            self.environment = environment
            self.receipt = receipt
            self.changedRow = changedRow
        }
    }

    /// A transaction as the store signed it: the store's own word, to be read with the next answer.
    package struct ChangedRow: Hashable, Sendable {
        package let transactionID: String
        package let signed: Secret

        package init(transactionID: String, signed: Secret) {
            self.transactionID = transactionID
            self.signed = signed
        }
    }

    /// The store's name for it, also an unknown one.
    package let type: String
    package let isKnownType: Bool
    /// The same each time the store sends this notification again.
    package let dedupeKey: String
    package let targets: [Target]
    /// It speaks of money given back, or may: what was paid is looked at again, not the status alone.
    package let isAboutRefund: Bool
    /// When the store sent it; nil where it does not say.
    package let sentAt: Instant?
    /// Why it makes nothing due, where that is known from itself.
    package let remark: String?

    package init(
        type: String, isKnownType: Bool, dedupeKey: String, targets: [Target], isAboutRefund: Bool,
        sentAt: Instant? = nil, remark: String? = nil
    ) {
        self.type = type
        self.isKnownType = isKnownType
        self.dedupeKey = dedupeKey
        self.targets = targets
        self.isAboutRefund = isAboutRefund
        self.sentAt = sentAt
        self.remark = remark
    }
}

/// Why a notification is not believed. Neither part ever repeats anything of it.
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

extension String {
    /// The id by which the store is asked, without white space around it; nil where it cannot be one.
    package func asStoreID(of store: StoreKind) -> String? { try? StoreID.checked(self, of: store) }

    /// What somebody outside chose as a name or an id, if it may appear in tables and documents as it is: visible ASCII
    /// without quotation marks and backslashes, and not too long.
    package func asPlainWord(upTo limit: Int = 100) -> String? {
        let isPlain =
            !isEmpty && utf8.count <= limit
            && utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? self : nil
    }
}
