// SPDX-License-Identifier: Apache-2.0

/// One period of a lineage for which nothing was paid.
struct FreePeriod: Sendable {
    var start: Int64
    /// The expiry as last told, or what cut it short; a grace is no part of it.
    var declaredEnd: Int64
    /// The same, or the end of a grace that was granted.
    var coveredUntil: Int64
    /// The start of whatever came next.
    var nextStart: Int64?
    var productID: String
    var subscriptionID: String
    /// A free trial; not just a price of nothing.
    var isTrial: Bool
    /// Offered to a customer whom the app knew: nobody's first try.
    var isOfferedToTheKnown: Bool

    init(
        _ booked: BookedTransaction, subscription: String, declaredEnd: Int64, coveredUntil: Int64, nextStart: Int64?
    ) {
        start = booked.periodStart
        self.declaredEnd = declaredEnd
        self.coveredUntil = coveredUntil
        self.nextStart = nextStart
        productID = booked.productID
        subscriptionID = subscription
        isTrial = booked.kind == .trial
        isOfferedToTheKnown = booked.offerType == .promotional || booked.offerType == .winBack
    }

    /// Until when it stands for its lineage.
    var end: Int64 { min(declaredEnd, nextStart ?? declaredEnd) }
}
