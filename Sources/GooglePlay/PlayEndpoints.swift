// SPDX-License-Identifier: Apache-2.0

import Stores

/// Google Play's endpoints as it counts them: the quotas of subscriptions and orders are separate.
enum PlayEndpoints {
    /// Both interfaces draw on the same quota.
    static let subscriptions = Endpoint(
        name: "subscriptions", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond)
    /// One-time purchases.
    static let products = Endpoint(
        name: "products", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond)
    static let orders = Endpoint(
        name: "orders", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond, part: .completion,
        isBatch: true)
    /// 30 requests in 30 seconds, and 6,000 a day (android-publisher/voided-purchases): a night asks for a few pages, and where the
    /// day's are used up it waits for the store's next one (``QuotaDay``).
    static let voidedPurchases = Endpoint(name: "voided_purchases", publishedRate: 1, part: .hint)
    /// Nothing is published for it; one request an hour is the rule.
    static let token = Endpoint(name: "token", publishedRate: GooglePlayConfiguration.publishedRequestsPerSecond)
}

/// The names of the documents of an answer.
enum DocumentName {
    /// The purchase that was asked about.
    static let subscription = "subscription"
    /// An older purchase that it continues, the youngest first.
    static let linkedSubscription = "linked_subscription"
    /// A one-time purchase, asked about by its token.
    static let product = "product"
    /// One order.
    static let order = "order"
}
