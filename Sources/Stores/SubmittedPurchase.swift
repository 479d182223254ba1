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

/// What becomes of a purchase before the store is asked.
package enum Examination: Sendable {
    /// The store must answer for it.
    case toAsk(ExaminedPurchase)
    case refused(PurchaseRefusal)
    /// It cannot be assessed now, and waits. `credential`: until the owner corrects the configuration.
    case undecided(StoreFailure)
}

/// Why a purchase is refused, with the verdicts that were reached; nil is one that was not reached.
package struct PurchaseRefusal: Hashable, Sendable {
    /// The store issued it.
    package let genuine: Bool?
    /// It is for this app.
    package let ours: Bool?
    /// It has not expired.
    package let isCurrent: Bool?
    /// A sentence for people, without any token or receipt.
    package let reason: String

    private init(genuine: Bool? = nil, ours: Bool? = nil, isCurrent: Bool? = nil, reason: String) {
        self.genuine = genuine
        self.ours = ours
        self.isCurrent = isCurrent
        self.reason = reason
    }

    package static func notGenuine(_ reason: String, ours: Bool? = nil) -> PurchaseRefusal {
        PurchaseRefusal(genuine: false, ours: ours, reason: reason)
    }

    /// The store issued it, for another app.
    package static func notOurs(_ reason: String) -> PurchaseRefusal {
        PurchaseRefusal(genuine: true, ours: false, reason: reason)
    }

    /// It ended so long ago that the store no longer reports it.
    package static func over(_ reason: String) -> PurchaseRefusal { PurchaseRefusal(isCurrent: false, reason: reason) }

    /// In this form it can never be assessed: it must be handed in as something else.
    package static func unusable(_ reason: String) -> PurchaseRefusal { PurchaseRefusal(reason: reason) }

    /// All of it is right, and there is nothing in it.
    package static func empty(_ reason: String) -> PurchaseRefusal {
        PurchaseRefusal(genuine: true, ours: true, reason: reason)
    }
}
