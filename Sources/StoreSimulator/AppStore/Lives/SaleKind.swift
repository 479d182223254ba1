// SPDX-License-Identifier: Apache-2.0

/// What is sold once, apart from subscriptions; the App Store's spelling.
package enum SaleKind: String, Hashable, Sendable, CaseIterable {
    case consumable = "Consumable"
    case nonConsumable = "Non-Consumable"
    case nonRenewing = "Non-Renewing Subscription"

    /// The last part of the product's id.
    var productName: String {
        switch self {
        case .consumable: "coins"
        case .nonConsumable: "lifetime"
        case .nonRenewing: "season"
        }
    }
}
