// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// Whose the purchases of a round are, and which of them were known: asked in the order they were handed in, so that
/// of two that are about the same thing the first is new and the second is not.
struct Ownership {
    /// A transaction, or a subscription as such.
    struct Identity: Hashable {
        let key: SubscriptionKey
        let transactionID: String?
    }

    /// By subscription or sale, as far as there is an account.
    private var owners: [SubscriptionKey: String]
    private var known: Set<Identity>

    init(owners: [SubscriptionKey: String], known: Set<Identity>) {
        self.owners = owners
        self.known = known
    }

    func belongsToAnother(_ purchase: ResolvedPurchase, than account: String?) -> Bool {
        guard let account else { return false }
        return purchase.items.contains { item in owners[item.key].map { $0 != account } ?? false }
    }

    func isNew(_ identity: Identity) -> Bool { !known.contains(identity) }

    /// A purchase was accepted: from now on it is known, and its subscriptions are somebody's.
    mutating func take(_ purchase: ResolvedPurchase, _ identity: Identity, for account: String?) {
        known.insert(identity)
        for item in purchase.items {
            known.insert(Identity(key: item.key, transactionID: nil))
            if let account { owners[item.key] = account }
        }
    }
}

extension AssessedPurchase {
    /// By what it is new or known: the transaction it names, or the newest of a receipt or sale, else the subscription.
    func identity(_ purchase: ResolvedPurchase) -> Ownership.Identity {
        Ownership.Identity(key: purchase.main.key, transactionID: period(purchase)?.transactionID)
    }

    /// The transaction by which it is new or known; nil where it is about a subscription as such.
    func period(_ purchase: ResolvedPurchase) -> (transactionID: String, periodKey: String)? {
        guard let examined else { return nil }
        if let id = examined.transactionID { return (id, examined.periodKey ?? id) }
        switch examined.handle {
        case .storeKey where !purchase.main.isSale: return nil
        case .storeKey, .receipt: return purchase.main.newest.map { ($0.transactionID, $0.periodKey) }
        }
    }
}
