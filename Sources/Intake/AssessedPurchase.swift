// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// A purchase and what is to become of it, before anybody knows whose it is.
struct AssessedPurchase: Sendable {
    enum Opinion: Sendable {
        /// The store issued it, for this app: accepted, unless it belongs to another account.
        case genuine(ResolvedPurchase)
        case refused(PurchaseRefusal)
        /// It cannot be decided yet.
        case undecided(StoreFailure)
    }

    let inbox: InboxPurchase
    /// Nil where the purchase could not be examined, or the examination refused it.
    let examined: ExaminedPurchase?
    var opinion: Opinion

    /// The key of its dead letter: what it is about, or its own row.
    func key(in app: AppID) -> SubscriptionKey {
        switch (opinion, examined?.handle) {
        case (.genuine(let resolved), _): resolved.main.key
        case (_, .storeKey(let storeKey)): SubscriptionKey(appID: app, storeKey: storeKey.reveal())
        default: SubscriptionKey(appID: app, storeKey: "purchase-\(inbox.id)")
        }
    }
}
