// SPDX-License-Identifier: Apache-2.0

/// Money given back for a period, or access taken away from it.
package struct Refund: Hashable, Sendable {
    /// How much of the money.
    package enum Extent: Hashable, Sendable {
        case full
        /// In thousandths of a per cent: 40,000 is 40 %.
        case prorated(percentage: Int64)
        /// No money: the family member stopped sharing.
        case familyRevoke
        /// No money: a bundle took the subscription's place.
        case upgradedToBundle
        /// No money that anybody knows of: a kind of revocation that no document has, by its name; nil where the store names
        /// no kind and the reason's number is the unknown.
        case unheardOf(name: String?)
    }

    /// StoreKit's third reason of a revocation; its number on the wire is not documented.
    package static let bundleReason = 2

    package var at: Int64
    package var extent: Extent
    /// The store's reason: 1 for an issue with the app, 0 for any other, `bundleReason` for a bundle.
    package var reason: Int = 0

    /// The store's name of the extent.
    var storeName: String? {
        switch extent {
        case .full: "REFUND_FULL"
        case .prorated: "REFUND_PRORATED"
        case .familyRevoke: "FAMILY_REVOKE"
        case .upgradedToBundle: "UPGRADED_TO_BUNDLE"
        case .unheardOf(let name): name
        }
    }

    /// Whether the customer got money back.
    var isOfMoney: Bool {
        switch extent {
        case .full, .prorated: true
        case .familyRevoke, .upgradedToBundle, .unheardOf: false
        }
    }

    /// Whether the store reports a share of the price and no amount.
    var isShare: Bool {
        if case .prorated = extent { return true }
        return false
    }

    /// Why a subscription ends whose current period this refund takes away.
    var endReason: EndReason {
        switch extent {
        case .full, .prorated: .refund
        case .familyRevoke, .unheardOf: .revoke
        case .upgradedToBundle: .replaced
        }
    }
}
