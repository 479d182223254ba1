// SPDX-License-Identifier: Apache-2.0

/// How the monthly recurring revenue of one day (UTC), app, product and currency came from its opening to its closing.
package struct BridgeRow: Hashable, Sendable {
    /// A way in or out; each change is in exactly one. Ways out are negative.
    package enum Movement: String, Hashable, Sendable, CaseIterable {
        case imported
        case movedIn = "moved_in"
        case new, expansion, reactivation, recovery, contraction
        case churnVoluntary = "churn_voluntary"
        case churnInvoluntary = "churn_involuntary"
        case churnPrice = "churn_price"
        case churnProduct = "churn_product"
        case churnRefund = "churn_refund"
        case churnOther = "churn_other"
        case lapsed, paused
        case movedOut = "moved_out"
    }

    /// `yyyy-mm-dd`.
    package var date: String
    package var appID: String
    package var productID: String
    package var currency: String
    /// In micros of the currency, rounded half to even from the exact sum; so are the others.
    package var opening: Int64
    /// Those that are not zero.
    package var movements: [Movement: Int64]
    package var closing: Int64

    package init(
        date: String, appID: String, productID: String, currency: String, opening: Int64,
        movements: [Movement: Int64], closing: Int64
    ) {
        self.date = date
        self.appID = appID
        self.productID = productID
        self.currency = currency
        self.opening = opening
        self.movements = movements.filter { $0.value != 0 }
        self.closing = closing
    }
}
