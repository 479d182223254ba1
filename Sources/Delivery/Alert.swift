// SPDX-License-Identifier: Apache-2.0

package import Model

/// Something about an issue that a person should look at.
///
/// Amounts are micros of the summary's currency.
package enum Alert: Sendable, Hashable {
    /// A part of a whole, both counted.
    package struct Share: Sendable, Hashable {
        package let part: Int64
        package let whole: Int64
    }

    /// A check found a difference.
    case notReconciled
    /// Nil: never read.
    case stale(app: String, lastCheckedAt: Instant?)
    case refunds(ofWeek: Int64, usual: Int64)
    case netRevenue(ofWeek: Int64, usual: Int64)
    case mrr(now: Int64, before: Int64)
    case churnReason(String, now: Share, before: Share)
    case unknownValues(Int64)
    case missingPrices(app: String, count: Int64)

    /// It may come up without a new issue: when no night comes any more.
    package var isStaleness: Bool {
        if case .stale = self { true } else { false }
    }
}
