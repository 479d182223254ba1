// SPDX-License-Identifier: Apache-2.0

package import Model

/// A purchase as the app's backend handed it in, before anybody believes it.
package struct SubmittedPurchase: Hashable, Sendable {
    /// What the payload is.
    package enum Kind: String, Sendable, CaseIterable {
        /// An App Store receipt, base64.
        case receipt
        /// A transaction that the App Store signed, as the app received it.
        case signedTransaction = "signed_transaction"
        /// The App Store's id of a transaction: the original one, or a later one of the same purchase.
        case originalTransactionID = "original_transaction_id"
        /// Play's purchase data, byte for byte, with Play's signature over it.
        case playPurchase = "play_purchase"
        /// A Play purchase token alone.
        case playToken = "play_token"
    }

    package let kind: Kind
    package let payload: Secret
    /// Standard base64, over the exact payload.
    package let signature: String?
    /// The product, where the backend gave it beside a payload that does not name it.
    package let productID: String?

    package init(kind: Kind, payload: Secret, signature: String? = nil, productID: String? = nil) {
        self.kind = kind
        self.payload = payload
        self.signature = signature
        self.productID = productID
    }
}

extension SubmittedPurchase {
    /// Of a purchase that is an id alone: the store is asked with it, if it can be one.
    package func examinationOfID(in store: StoreKind) -> Examination {
        do throws(StoreID.Fault) {
            var examined = ExaminedPurchase(.storeKey(Secret(try StoreID.checked(payload.reveal(), of: store))))
            guard store == .googlePlay else { return .toAsk(examined) }
            examined.productID = productID
            examined.isBoundToProduct = productID != nil
            return .toAsk(examined)
        } catch {
            return .refused(.notGenuine("No store can be asked with it: \(error.reason)."))
        }
    }
}
