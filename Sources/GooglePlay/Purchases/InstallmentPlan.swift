// SPDX-License-Identifier: Apache-2.0

import Stores

/// `InstallmentPlan`: payments that a customer has committed to.
struct InstallmentPlan: JSONReadable {
    /// Those still to come, without that of the running period; left out where there are none.
    let remaining: Int64
    /// The customer left: what was committed to is still paid, and then it ends.
    let isCancelled: Bool

    init(_ fields: Fields) {
        remaining = min(max(0, fields.integer("remainingCommittedPaymentsCount") ?? 0), Self.most)
        isCancelled = fields.has("pendingCancellation")
    }

    /// A number beyond that is no plan's; dates are reckoned with it.
    private static let most: Int64 = 1_200
}
