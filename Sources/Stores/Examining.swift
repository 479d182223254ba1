// SPDX-License-Identifier: Apache-2.0

/// What a store's room knows of purchases that are handed in: the part of a store that intake needs beside its answers.
package protocol Examining: Sendable {
    /// What can be known of a purchase without asking the store: whether its signature holds, which app it names, and
    /// what the store is asked with.
    func examine(_ purchase: SubmittedPurchase) -> Examination

    /// What a failed question says of the purchase that was asked about. Nil: nothing, it waits for a later run.
    ///
    /// `attempts`: earlier runs that asked about it without success.
    func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal?
}

extension Examining {
    /// A store without purchases of its own form.
    package func examine(_ purchase: SubmittedPurchase) -> Examination { .refused(.strange(purchase.kind)) }

    package func refusal(for failure: StoreFailure, afterAttempts attempts: Int) -> PurchaseRefusal? {
        switch failure.kind {
        case .notFound: .notGenuine(failure.message)
        case .gone: .over(failure.message)
        case .transient, .refusedForNow, .unreadable, .credential, .storeDown, .cancelled: nil
        }
    }
}

extension PurchaseRefusal {
    /// Another store's purchase.
    package static func strange(_ kind: SubmittedPurchase.Kind) -> PurchaseRefusal {
        .unusable("A purchase of the kind \(kind.rawValue) is not of this app's store.")
    }
}
