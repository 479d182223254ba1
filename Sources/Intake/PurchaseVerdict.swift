// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

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
