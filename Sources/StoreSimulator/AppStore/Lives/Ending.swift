// SPDX-License-Identifier: Apache-2.0

/// What happens when a period reaches its expiry.
package enum Ending: Hashable, Sendable {
    /// The next period follows, or will after the small gap that processing takes: the store never says it ended.
    case goesOn
    /// The subscription is over, for the store's reason (`expirationIntent`).
    case expires(Intent)
    /// The payment failed.
    case billing(BillingTrouble)

    package enum Intent: Int, Hashable, Sendable {
        case voluntary = 1
        case billing = 2
        case price = 3
        case product = 4
        case unknown = 5

        /// The reason in the canonical tables.
        var endReason: EndReason {
            switch self {
            case .voluntary: .voluntary
            case .billing: .involuntary
            case .price: .price
            case .product: .product
            case .unknown: .unknown
            }
        }
    }

    /// A failed payment: how long access was kept, and how it came out.
    package struct BillingTrouble: Hashable, Sendable {
        /// How the store's attempts end.
        package enum Outcome: Hashable, Sendable {
            /// Paid in the end: the next period begins then.
            case recovers
            /// The store stops trying.
            case givenUp(at: Int64)
            /// The customer switches auto-renew off, which ends it at once.
            case cancelled(at: Int64)
        }

        /// The end of the grace period, where the store grants one.
        package var graceEndsAt: Int64?
        package var outcome: Outcome
    }
}
