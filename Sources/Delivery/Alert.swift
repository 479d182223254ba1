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
    /// Business dates whose sealed night owes a report that is not there, the oldest first.
    case missingReports([String])
    /// Nil: never read.
    case stale(app: String, lastCheckedAt: Instant?)
    case refunds(ofWeek: Int64, usual: Int64)
    case netRevenue(ofWeek: Int64, usual: Int64)
    case mrr(now: Int64, before: Int64)
    case churnReason(String, now: Share, before: Share)
    case unknownValues(Int64)
    case missingPrices(app: String, count: Int64)

    /// What is sent of one that comes up without a new issue: when no night comes any more, or its report does not.
    var message: DeliveryMessage.Kind? {
        switch self {
        case .stale: .stale
        case .missingReports: .missing
        default: nil
        }
    }
}
