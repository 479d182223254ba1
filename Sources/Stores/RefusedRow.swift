// SPDX-License-Identifier: Apache-2.0

package import Model

/// A row of an answer that contradicts itself or cannot be read.
package struct RefusedRow: Hashable, Sendable {
    package let storeKey: Secret?
    package let reason: String
    package let detail: String
    /// Its transaction or order id as it says itself, or `SetAside.unidentified`; nil: it is about no single transaction.
    package let transactionID: String?

    /// Nil: nothing follows from its reason.
    package var fault: AnswerFault? { AnswerFault(rawValue: reason) }

    package init(storeKey: Secret?, reason: String, detail: String, transactionID: String?) {
        self.storeKey = storeKey
        self.reason = reason
        self.detail = detail
        self.transactionID = transactionID
    }
}
