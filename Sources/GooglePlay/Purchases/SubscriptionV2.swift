// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The answer of `purchases.subscriptionsv2.get`.
struct SubscriptionV2: JSONReadable {
    private static let names: Set<String> = [
        "kind", "regionCode", "startTime", "subscriptionState", "linkedPurchaseToken", "lineItems",
        "acknowledgementState", "canceledStateContext", "pausedStateContext", "inGracePeriodStateContext",
        "onHoldStateContext", "externalAccountIdentifiers", "outOfAppPurchaseContext", "subscribeWithGoogleInfo",
        "testPurchase", "etag", "latestOrderId",
    ]
    /// By the member of the cancelled state that is there, an empty object most often.
    private static let reasons: [(name: String, reason: EndReason)] = [
        ("userInitiatedCancellation", .voluntary), ("systemInitiatedCancellation", .involuntary),
        ("developerInitiatedCancellation", .developer), ("replacementCancellation", .replaced),
    ]

    /// Without its prefix.
    let state: String?
    let regionCode: String?
    /// Of the purchase it continues: in the app, or bought again outside of it after that one had expired.
    let linkedToken: Secret?
    /// Those that can be read.
    let items: [ItemV2]
    /// Nil where it was not cancelled, or in an unknown way.
    let cancellation: EndReason?
    /// Only of a customer's.
    let cancelledAt: Instant?
    let hasUnknownCancellation: Bool
    let resumesAt: Instant?
    let isTest: Bool
    /// Older answers name it; it may be a declined one.
    let latestOrderID: String?
    let unknownFields: [String]
    let hasUnreadableItems: Bool

    init(_ fields: Fields) {
        state = fields.text("subscriptionState").map { $0.withoutPrefix("SUBSCRIPTION_STATE_") }
        regionCode = fields.text("regionCode")
        let expired = fields.object("outOfAppPurchaseContext")?.text("expiredPurchaseToken")
        linkedToken = (fields.text("linkedPurchaseToken") ?? expired).map(Secret.init)
        let all: [ItemV2?] = fields.list("lineItems") ?? []
        items = all.compactMap(\.self)
        hasUnreadableItems = items.count < all.count
        let context = fields.object("canceledStateContext")
        cancellation = context.flatMap { context in Self.reasons.first { context.has($0.name) }?.reason }
        cancelledAt = context?.object("userInitiatedCancellation")?.time("cancelTime")
        hasUnknownCancellation = context?.names(outside: Set(Self.reasons.map(\.name))).isEmpty == false
        resumesAt = fields.object("pausedStateContext")?.time("autoResumeTime")
        isTest = fields.has("testPurchase")
        latestOrderID = fields.text("latestOrderId")
        unknownFields = fields.names(outside: Self.names)
    }
}

extension String {
    func withoutPrefix(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}
