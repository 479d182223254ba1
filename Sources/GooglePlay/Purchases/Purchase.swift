// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// What either interface says of one purchase token, before its orders are looked at.
struct Purchase {
    /// Nil: a word the store invented.
    var state: SubscriptionState?
    /// The store's word.
    var raw: String?
    /// Only with `expired`.
    var endReason: EndReason?
    /// The end the store names now: it moves on during a grace, and back when access is revoked.
    var expiresAt: Instant?
    var productID: String?
    var autoRenew: Bool?
    var autoRenewProductID: String?
    var resumesAt: Instant?
    /// When the customer switched the renewal off, where the store dates it.
    var cancelledAt: Instant?
    /// How many payments are still owed on a plan that the customer cancelled, that of the running period not among them; nil where
    /// nothing was committed to, or not cancelled.
    var committedPayments: Int64?
    /// What a whole period costs of all that renews; nil where the store does not say.
    var recurringPrice: RenewalPrice?
    /// Any of it was sold on an offer, or as the rest of another period: the next one costs more than this one did.
    var isBelowItsPrice = false
    /// The token that this one continues.
    var linkedToken: Secret?
    var isTest = false
    /// ISO 3166-1 alpha-2.
    var country: String?
    var isPrepaid = false
    /// Products that were signed up for with a code.
    var codeProducts: Set<String> = []
    /// The latest order of each of its items.
    var latestOrders: [OrderID] = []
    /// Ids in their place that are too long to be a key: they are not asked for.
    var longOrders: [OrderID] = []
    /// Only of a purchase that holds several.
    var items: [SubscriptionItem] = []
    /// When each item ends, by product.
    var itemEnds: [String: Instant] = [:]
    /// Another purchase took its place.
    var isReplaced = false

    /// The latest order may be a declined one (the legacy interface).
    var namesDeclinedOrders = false
    /// Its latest order is one that was paid: not said of one that may be declined, or whose payment is awaited.
    var isPaymentReceived = true
    /// The payment that is awaited is the first one unless an order was settled before (the legacy interface does not
    /// distinguish a pending sign-up from a grace).
    var mayAwaitFirstPayment = false
    /// The latest period as the answer itself gives it, for purchases whose orders are unknown.
    var ownPeriod: ObservedPeriod?

    mutating func take(latestOrders orders: [OrderID]) {
        latestOrders = orders.filter { KeyText.fits($0.text) }
        longOrders = orders.filter { !KeyText.fits($0.text) }
    }

    /// One of its items is based on that order, or on a later one of the same base.
    func names(_ order: OrderID) -> Bool { latestOrders.contains { $0.base == order.base } }

    var environment: PurchaseEnvironment { isTest ? .sandbox : .production }
}

extension UnreadableAnswer {
    static func malformed(_ endpoint: String) -> UnreadableAnswer {
        UnreadableAnswer(
            .malformedJSON, message: "Google Play's answer (\(endpoint)) is not the JSON it documents.")
    }
}
