// SPDX-License-Identifier: Apache-2.0

/// The stores we know.
package enum StoreKind: String, Sendable, Codable, CaseIterable {
    case appStore = "app_store"
    case googlePlay = "google_play"
}

/// Where a purchase was made.
///
/// Sandbox rows are checked and kept, and never in revenue.
package enum PurchaseEnvironment: String, Sendable, Codable, CaseIterable { case production, sandbox }

/// What a subscription is, as the store last said.
package enum SubscriptionState: String, Sendable, Codable, CaseIterable {
    case unverified, pending, trial, active, grace
    case billingRetry = "billing_retry"
    case paused, expired, revoked, unreachable

    /// The store has said that it is over.
    package var isEnded: Bool { self == .expired || self == .revoked }
    /// The store was still trying to be paid, or held the subscription for the customer.
    package var isAwaitingPayment: Bool { self == .grace || self == .billingRetry || self == .paused }
}

/// Why a subscription ended.
package enum EndReason: String, Sendable, Codable, CaseIterable {
    case voluntary, involuntary, price, product, developer, refund, revoke, replaced, unknown
}

/// What a transaction is in the timeline of one customer's subscription.
package enum TransactionKind: String, Sendable, Codable, CaseIterable {
    case trial, purchase, renewal, resubscribe, upgrade, downgrade, crossgrade
    case topUp = "top_up"
    case oneTime = "one_time"
}

package enum OfferType: String, Sendable, Codable, CaseIterable {
    case introductory, promotional, code
    case winBack = "win_back"
    /// Offered where a customer is about to cancel.
    case retention
    /// An offer of an unknown kind: an offer all the same.
    case other

    /// Made to customers whom the app knew: free time on it is never a trial.
    package var isForKnownCustomers: Bool { self == .promotional || self == .winBack }
}

package enum Ownership: String, Sendable, Codable, CaseIterable {
    case purchased
    case familyShared = "family_shared"
    /// A seat of a group or an organization, or an ownership of an unknown name: access, no money, no subscriber.
    case assigned
}

/// Where a row's price comes from.
package enum PriceSource: String, Sendable, Codable, CaseIterable {
    case storeOrder = "store_order"
    case storePrice = "store_price"
    case priceList = "price_list"
    case missing
}

/// Where the amount of a refund comes from.
package enum RefundSource: String, Sendable, Codable, CaseIterable {
    /// The store gave the amount, or gave back the whole price.
    case storeAmount = "store_amount"
    /// Worked out here: of a share of the price, or of the prices of seats.
    case derived
}

package enum RefundKind: String, Sendable, Codable, CaseIterable { case full, partial, revoke }

/// What makes a refund another thing than a customer's wish.
package enum RefundReason: String, Sendable, Codable, CaseIterable {
    /// The customer's bank took the money back.
    case chargeback
}
