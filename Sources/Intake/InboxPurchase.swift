// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Stores

/// A purchase that waits in the inbox.
struct InboxPurchase: Sendable {
    let id: Int64
    let accountID: String?
    let purchase: SubmittedPurchase
    /// Runs that looked at it before this one.
    let attempts: Int

    init(_ row: PostgresRow) throws(PostgresError) {
        id = try row.int64("purchase_id")
        accountID = try row.optionalString("account_id").flatMap { $0.isEmpty ? nil : $0 }
        attempts = try row.int("attempts")
        purchase = SubmittedPurchase(
            kind: try row.word("kind", as: SubmittedPurchase.Kind.self), payload: Secret(try row.string("payload")),
            signature: try row.optionalString("signature"), productID: try row.optionalString("product_id"))
    }
}

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

/// What is written of a purchase into its row; nil is a verdict that was not reached.
struct PurchaseVerdict: Sendable {
    enum State: String, Sendable { case pending, accepted, refused }

    let purchaseID: Int64
    var state: State
    var genuine: Bool?
    var ours: Bool?
    var isNew: Bool?
    var isCurrent: Bool?
    var reason: String?
    var key: SubscriptionKey?
    var productID: String?
    var transactionID: String?

    init(_ assessed: AssessedPurchase, state: State, reason: String? = nil) {
        purchaseID = assessed.inbox.id
        self.state = state
        self.reason = reason
        productID = assessed.examined?.productID
        transactionID = assessed.examined?.transactionID
    }
}
