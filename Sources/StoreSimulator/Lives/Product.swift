// SPDX-License-Identifier: Apache-2.0

/// What the apps sell, by the last part of its product id where that has but one base plan.
package enum Product: String, Hashable, Sendable, Codable, CaseIterable {
    case weekly, monthly, yearly
    case premiumMonthly = "premium.monthly"
    case addonMonthly = "addon.monthly"
    // Of Google Play's apps alone.
    case prepaidMonthly = "prepaid.monthly"
    /// A month of a plan in which several are promised.
    case instalmentMonthly = "instalment.monthly"
    /// One product, sold by the month and by the year.
    case plusMonthly = "plus.p1m"
    case plusYearly = "plus.p1y"
    /// Sold once: units that are used up, and something for good.
    case coins, lifetime

    /// The product id in the app with this bundle id or package name.
    package func identifier(in app: String) -> String { "\(app).\(name)" }

    /// The last part of the product id, and what customers read.
    var name: String { isOneOfSeveralPlans ? "plus" : rawValue }
    /// Whether it is sold once, and not by the period.
    var isOneTime: Bool { self == .coins || self == .lifetime }
    /// Whether its product has other base plans.
    var isOneOfSeveralPlans: Bool { self == .plusMonthly || self == .plusYearly }
    var isYearly: Bool { term == .months(12) }

    /// The length of a period; none of what is sold once.
    package var term: Term {
        switch self {
        case .weekly: .weeks(1)
        case .monthly, .premiumMonthly, .addonMonthly, .prepaidMonthly, .instalmentMonthly, .plusMonthly: .months(1)
        case .yearly, .plusYearly: .months(12)
        case .coins, .lifetime: .days(0)
        }
    }
}

/// The App Store's terms.
extension Product {
    /// What its apps sell by the period.
    static let ofAppStore: [Product] = [.weekly, .monthly, .yearly, .premiumMonthly, .addonMonthly]

    /// The subscription group.
    var groupID: String { self == .addonMonthly ? "21000002" : "21000001" }

    /// The length of the free trial.
    var appStoreTrial: Term {
        switch self {
        case .weekly: .days(3)
        case .yearly: .weeks(2)
        default: .weeks(1)
        }
    }

    /// The grace period: sixteen days, and six for weekly subscriptions, whose periods are shorter than that.
    var appStoreGrace: Int64 { (self == .weekly ? 6 : 16) * CivilTime.day }
}

/// Google Play's terms.
extension Product {
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

    /// The length of the free trial.
    var playTrial: Term { self == .weekly ? .days(3) : .weeks(1) }

    /// How long the store grants access while a payment fails, and by what steps it moves the expiry meanwhile.
    var playGrace: (length: Int64, step: Int64) {
        self == .weekly ? (6 * CivilTime.day, 2 * CivilTime.day) : (9 * CivilTime.day, 3 * CivilTime.day)
    }
}
