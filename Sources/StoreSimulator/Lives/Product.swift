// SPDX-License-Identifier: Apache-2.0

/// What an app sells, by the last part of its product id.
package enum Product: String, Hashable, Sendable, Codable, CaseIterable {
    case weekly, monthly, yearly
    case premiumMonthly = "premium.monthly"
    case addonMonthly = "addon.monthly"

    /// The product id in the app with this bundle id.
    package func identifier(in bundleID: String) -> String { "\(bundleID).\(rawValue)" }

    /// The subscription group.
    package var groupID: String { self == .addonMonthly ? "21000002" : "21000001" }

    /// The length of a period.
    package var term: Term {
        switch self {
        case .weekly: .weeks(1)
        case .monthly, .premiumMonthly, .addonMonthly: .months(1)
        case .yearly: .months(12)
        }
    }

    /// The length of the free trial.
    var trial: Term {
        switch self {
        case .weekly: .days(3)
        case .yearly: .weeks(2)
        case .monthly, .premiumMonthly, .addonMonthly: .weeks(1)
        }
    }

    /// The store's grace period: sixteen days, and six for weekly subscriptions, whose periods are shorter than that.
    var grace: Int64 { (self == .weekly ? 6 : 16) * CivilTime.day }
}
