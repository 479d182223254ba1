// SPDX-License-Identifier: Apache-2.0

/// What a Play app sells: a product in one of its base plans, and by the last part of its product id where it has but one.
package enum PlayProduct: String, Hashable, Sendable, CaseIterable {
    case weekly, monthly, yearly
    case premiumMonthly = "premium.monthly"
    case addonMonthly = "addon.monthly"
    case prepaidMonthly = "prepaid.monthly"
    /// A month of a plan in which several are promised.
    case instalmentMonthly = "instalment.monthly"
    /// One product, sold by the month and by the year.
    case plusMonthly = "plus.p1m"
    case plusYearly = "plus.p1y"
    /// Sold once: units that are used up, and something for good.
    case coins, lifetime

    /// The product id in the app of this package.
    package func identifier(in packageName: String) -> String { "\(packageName).\(name)" }

    /// The last part of the product id, and what customers read.
    var name: String { isOneOfSeveralPlans ? "plus" : rawValue }

    /// Whether it is sold once, and not by the period.
    var isOneTime: Bool { self == .coins || self == .lifetime }

    /// Whether its product has other base plans.
    var isOneOfSeveralPlans: Bool { self == .plusMonthly || self == .plusYearly }

    /// The length of a period; none of what is sold once.
    package var term: Term {
        switch self {
        case .weekly: .weeks(1)
        case .monthly, .premiumMonthly, .addonMonthly, .prepaidMonthly, .instalmentMonthly, .plusMonthly:
            .months(1)
        case .yearly, .plusYearly: .months(12)
        case .coins, .lifetime: .days(0)
        }
    }

    var isYearly: Bool { term == .months(12) }

    /// The length of the free trial.
    var trial: Term { self == .weekly ? .days(3) : .weeks(1) }

    /// The store's name of its base plan, or of the way to buy it once.
    var basePlanID: String {
        switch self {
        case .weekly: "p1w"
        case .yearly, .plusYearly: "p1y"
        case .coins, .lifetime: "buy"
        case .prepaidMonthly: "prepaid-p1m"
        case .instalmentMonthly: "instalments-p1m"
        case .monthly, .premiumMonthly, .addonMonthly, .plusMonthly: "p1m"
        }
    }

    /// How long the store grants access while a payment fails, and by what steps it moves the expiry meanwhile.
    var grace: (length: Int64, step: Int64) {
        self == .weekly ? (6 * CivilTime.day, 2 * CivilTime.day) : (9 * CivilTime.day, 3 * CivilTime.day)
    }
}
