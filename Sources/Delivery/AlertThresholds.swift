// SPDX-License-Identifier: Apache-2.0

package import Model

/// From where on a figure is worth an alert; nil: never.
package struct AlertThresholds: Sendable, Hashable {
    /// No app may go unread for longer.
    package var staleAfter: Span? = .hours(36)
    /// Refunds of a week, in percent of a usual one.
    package var refundsAbove: Int? = 200
    /// How far a reason's share of the churn of a month may move from that of the quarter before, in points of a percent.
    package var churnShift: Int? = 20
    /// Net revenue of a week, in percent of a usual one.
    package var netRevenueBelow: Int? = 50
    /// MRR, in percent of what it was thirty days before.
    package var mrrBelow: Int? = 90
    /// Words of the stores that this version does not know.
    package var unknownValues: Int64? = 1
    /// An app's subscribers without a price.
    package var missingPrices: Int64? = 1

    package init() {}
}
