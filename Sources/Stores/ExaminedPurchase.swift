// SPDX-License-Identifier: Apache-2.0

package import Model

/// What a purchase states about itself, verified as far as possible without asking the store.
package struct ExaminedPurchase: Sendable {
    /// What the store is asked with.
    package enum Handle: Sendable {
        /// A subscription's own id, or the id of one of its transactions.
        case storeKey(Secret)
        /// Which purchases a receipt holds is known only from the store's answer.
        case receipt(Secret)
    }

    package let handle: Handle
    /// Nil: the purchase does not say.
    package var environment: PurchaseEnvironment?
    package var productID: String?
    /// The transaction or order it is about; nil where it names a subscription only.
    package var transactionID: String?
    package var periodKey: String?
    package var expiresAt: Instant?
    /// The store's own signature proves it: that the store does not know its id yet refutes nothing.
    package var isProven = false
    /// The store must know the purchase for `productID`, or it is another one.
    package var isBoundToProduct = false
    /// The purchase is itself the store's statement, and all there is to learn: no request is needed.
    package var documents: [StoreAnswer.Document] = []

    package init(_ handle: Handle) { self.handle = handle }
}
