// SPDX-License-Identifier: Apache-2.0

/// What becomes of a purchase before the store is asked.
package enum Examination: Sendable {
    /// The store must answer for it.
    case toAsk(ExaminedPurchase)
    case refused(PurchaseRefusal)
    /// It cannot be assessed now, and waits. `credential`: until the owner corrects the configuration.
    case undecided(StoreFailure)
}
