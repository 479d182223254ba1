// SPDX-License-Identifier: Apache-2.0

/// A known period that came back under a new transaction id: the first id stays.
package struct TransactionAlias: Hashable, Sendable {
    package let key: SubscriptionKey
    package let alias: String
    package let transactionID: String

    package init(key: SubscriptionKey, alias: String, transactionID: String) {
        self.key = key
        self.alias = alias
        self.transactionID = transactionID
    }
}
