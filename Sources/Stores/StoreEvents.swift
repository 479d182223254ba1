// SPDX-License-Identifier: Apache-2.0

package import Model

/// The events that a store reported: purchases to look at again.
package struct StoreEvents: Sendable {
    /// A purchase to look at again, its money included.
    ///
    /// One that was never registered is left alone.
    package struct Item: Hashable, Sendable {
        package let storeKey: Secret
        /// The transaction that was given back, where the store names it: no new event where we know that already.
        package let transactionID: String?

        package init(storeKey: Secret, transactionID: String?) {
            self.storeKey = storeKey
            self.transactionID = transactionID
        }
    }

    /// The next look begins here; nil where this store reports no events, or could not be read to the end.
    package let readUntil: Instant?
    package let items: [Item]

    package init(readUntil: Instant?, items: [Item]) {
        self.readUntil = readUntil
        self.items = items
    }
}
