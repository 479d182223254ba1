// SPDX-License-Identifier: Apache-2.0

/// An id that the backend handed in as if it were a subscription's own, and that the store answered for: it belongs to the
/// subscription of that original transaction id, which is asked instead from then on.
package struct BookedAlias: Hashable, Sendable {
    package var appID: String
    /// The id of a later transaction.
    package var storeKey: String
    package var originalTransactionID: String

    package init(appID: String, storeKey: String, originalTransactionID: String) {
        self.appID = appID
        self.storeKey = storeKey
        self.originalTransactionID = originalTransactionID
    }
}

extension Books {
    /// Those that were handed in, and whose subscription was told of since.
    package var aliases: [BookedAlias] {
        everySubscription.compactMap { customer, life, _ in
            guard let handIn = life.lateHandIn, handIn.at <= now,
                let told = revealed.standings[life.originalTransactionID], told.at >= handIn.at
            else { return nil }
            return BookedAlias(
                appID: customer.appID, storeKey: life.periods[handIn.value].transactionID,
                originalTransactionID: life.originalTransactionID)
        }
    }
}
