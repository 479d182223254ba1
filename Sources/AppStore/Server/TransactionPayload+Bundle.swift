// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

extension TransactionPayload {
    /// The transaction of the bundle that includes this row; nil for what was bought by itself, and for a bundle's own row.
    var includedIn: String? { bundle?.transaction(including: transactionID, of: originalTransactionID) }

    /// Whose purchase it is.
    ///
    /// What a bundle includes gives access as an assigned seat does: the bundle's own row is the subscriber.
    func owner(_ unknownValues: inout UnknownValueCounts) -> Ownership {
        let reported = Ownership(appStoreName: ownership, of: "transaction.inAppOwnershipType", &unknownValues)
        return includedIn == nil ? reported : .assigned
    }
}
