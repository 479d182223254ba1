// SPDX-License-Identifier: Apache-2.0

/// How many lineages of an app and a product stood where at the end of a day (UTC).
package struct SubscriberRow: Hashable, Sendable {
    /// Where a lineage stands; the words of the report's columns.
    package enum Status: String, Hashable, Sendable, CaseIterable {
        case active, trial, grace
        case billingRetry = "billing_retry"
        case paused
        case familyShared = "family_shared"
        case setToCancel = "set_to_cancel"
        case unread

        /// Follows from the periods alone: of a day that is long past too.
        package var isDated: Bool { [.active, .trial, .familyShared, .unread].contains(self) }
    }

    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    /// Those that are not zero.
    package var counts: [Status: Int]
    /// That the active ones of groups hold.
    package var seats: Int

    package init(date: String, appID: String, productID: String, counts: [Status: Int], seats: Int) {
        self.seats = seats
        self.date = date
        self.appID = appID
        self.productID = productID
        self.counts = counts.filter { $0.value != 0 }
    }

    /// The same without what an earlier day's state may have been.
    package var dated: SubscriberRow {
        SubscriberRow(
            date: date, appID: appID, productID: productID, counts: counts.filter(\.key.isDated),
            seats: seats)
    }
}

/// Lineages of an app and a product that may be lost next, and what a month of them is worth.
package struct AtRiskRow: Hashable, Sendable {
    package var appID: String
    package var productID: String
    package var state: SubscriberRow.Status
    package var subscriptions: Int
    /// Micros of the currency; nil where it is not known, or nothing was ever paid.
    package var mrrMicros: Int64?
    package var currency: String?
    /// Of the subscriptions, those that never paid.
    package var neverPaid = 0
}
