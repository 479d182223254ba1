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
    }

    package var at: Int64
    package var extent: Extent
    /// The store's reason: 1 for an issue with the app, 0 for any other.
    package var reason: Int

    package init(at: Int64, extent: Extent, reason: Int = 0) {
        self.at = at
        self.extent = extent
        self.reason = reason
    }

    /// The store's name of the extent.
    var storeName: String {
        switch extent {
        case .full: "REFUND_FULL"
        case .prorated: "REFUND_PRORATED"
        case .familyRevoke: "FAMILY_REVOKE"
        }
    }

    /// Why a subscription ends whose current period this refund takes away.
    var endReason: EndReason { extent == .familyRevoke ? .revoke : .refund }
}
