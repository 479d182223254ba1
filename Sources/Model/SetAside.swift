// SPDX-License-Identifier: Apache-2.0

/// Something of an answer that contradicts itself or cannot be read: a dead letter, its neighbours unharmed.
package struct SetAside: Hashable, Sendable, Codable {
    package var key: SubscriptionKey
    package let stage: String
    package let reason: String
    package let detail: String
    /// The transaction or order id of the row that it is about, or `unidentified`; nil: the whole answer.
    package let transactionID: String?

    /// What stands for the id of a row that shows none.
    package static let unidentified = "unidentified"
    /// What is longer is no id of a store's, and is cut.
    ///
    /// It is part of a key: Unicode scalars are counted, for a character may be made of any number of them.
    private static let longestID = 200

    package init(key: SubscriptionKey, stage: String, reason: String, detail: String, transactionID: String? = nil) {
        self.key = key
        self.stage = stage
        self.reason = reason
        self.detail = detail
        self.transactionID = transactionID.map {
            String(String.UnicodeScalarView($0.unicodeScalars.prefix(Self.longestID)))
        }
    }
}
