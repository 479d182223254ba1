// SPDX-License-Identifier: Apache-2.0

/// One calendar month of an app, a product and a currency: what it opened with, what became of that, and how it closed.
///
/// Amounts in micros; rates in millionths, nil where there is nothing to divide by.
package struct MonthRow: Hashable, Sendable {
    /// `yyyy-mm`.
    package var month: String
    package var appID: String
    package var productID: String
    /// Nil where the price is not known.
    package var currency: String?
    package var opening = 0
    package var churned = 0
    package var due = 0
    package var renewed = 0
    package var planChanges = 0
    package var active = 0
    /// Only of the month that is not over: of earlier ones nobody says any more what was known then.
    package var setToCancel: Int?
    package var openingMicros: Int64 = 0
    package var lostMicros: Int64 = 0
    package var closingMicros: Int64 = 0
    package var yearMicros: Int64 = 0
    /// Of the periods whose tax the store told; nil where it told none.
    package var closingNetOfTax: Int64?
    /// Of the same and those whose proceeds it told, each as told or else after the published fee.
    package var closingProceeds: Int64?
    package var netOfTaxEstimatedShare: Int64?
    package var proceedsEstimatedShare: Int64?
    package var churnRate: Int64?
    package var grossChurn: Int64?
    package var netChurn: Int64?
    package var grossRetention: Int64?
    package var netRetention: Int64?
    package var netRetentionWithReactivation: Int64?
    package var quickRatio: Int64?
    package var renewalRate: Int64?

    package init(month: String, appID: String, productID: String, currency: String?) {
        self.month = month
        self.appID = appID
        self.productID = productID
        self.currency = currency
    }

    /// Whether it says anything.
    package var isEmpty: Bool {
        [opening, due, planChanges, active].allSatisfy { $0 == 0 } && quickRatio == nil && closingMicros == 0
    }
}
