// SPDX-License-Identifier: Apache-2.0

/// The lineages of one day (UTC), app and product: how many were active at its start, and how many left, and why.
package struct ChurnRow: Hashable, Sendable, Codable {
    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    /// Lineages active up to 00:00 UTC, under the product of the period that reaches it.
    package var opening = 0
    /// Those of the opening set that ended on this day: the sum of the six reasons below.
    package var churned = 0
    package var voluntary = 0
    package var involuntary = 0
    package var price = 0
    package var product = 0
    package var refund = 0
    /// Ended by the developer, revoked without money back, or for a reason the store did not tell.
    package var other = 0
    /// Left unpaid, the store still trying (or paid again later out of billing retry).
    package var lapsed = 0
    /// Became active and ended on this same day: in no opening set.
    package var cameAndWent = 0

    /// Whether the row says anything.
    package var isEmpty: Bool { opening == 0 && churned == 0 && lapsed == 0 && cameAndWent == 0 }

    /// A day of nothing.
    package init(date: String, appID: String, productID: String) {
        self.date = date
        self.appID = appID
        self.productID = productID
    }
}
