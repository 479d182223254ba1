// SPDX-License-Identifier: Apache-2.0

/// What a Play app sells, by the last part of its product id.
package enum PlayProduct: String, Hashable, Sendable, CaseIterable {
    case weekly, monthly, yearly
    case premiumMonthly = "premium.monthly"
    case addonMonthly = "addon.monthly"
    case prepaidMonthly = "prepaid.monthly"
    /// A month of a plan in which several are promised.
    case instalmentMonthly = "instalment.monthly"

    /// The product id in the app of this package.
    package func identifier(in packageName: String) -> String { "\(packageName).\(rawValue)" }

    /// The length of a period.
    package var term: Term {
        switch self {
        case .weekly: .weeks(1)
        case .monthly, .premiumMonthly, .addonMonthly, .prepaidMonthly, .instalmentMonthly: .months(1)
        case .yearly: .months(12)
        }
    }

    /// The length of the free trial.
    var trial: Term { self == .weekly ? .days(3) : .weeks(1) }

    /// The store's name of its base plan.
    var basePlanID: String {
        switch self {
        case .weekly: "p1w"
        case .yearly: "p1y"
        case .prepaidMonthly: "prepaid-p1m"
        case .instalmentMonthly: "instalments-p1m"
        case .monthly, .premiumMonthly, .addonMonthly: "p1m"
        }
    }

    /// How long the store grants access while a payment fails, and by what steps it moves the expiry meanwhile.
    var grace: (length: Int64, step: Int64) {
        self == .weekly ? (6 * CivilTime.day, 2 * CivilTime.day) : (9 * CivilTime.day, 3 * CivilTime.day)
    }
}
