// SPDX-License-Identifier: Apache-2.0

/// Where a purchase stands from an instant on, until its next moment.
package struct PlayMoment: Hashable, Sendable {
    /// The store's word for it, without its prefix.
    package enum State: String, Hashable, Sendable {
        case pending = "PENDING"
        case active = "ACTIVE"
        case paused = "PAUSED"
        case grace = "IN_GRACE_PERIOD"
        case hold = "ON_HOLD"
        case canceled = "CANCELED"
        case expired = "EXPIRED"
        case pendingCanceled = "PENDING_PURCHASE_CANCELED"
    }

    /// Who ended it.
    package enum Cancellation: Hashable, Sendable {
        case user(at: Int64)
        case system, developer, replacement
    }

    /// One product of the purchase.
    package struct Item: Hashable, Sendable {
        package var product: Product
        package var expiresAt: Int64
        package var renews: Bool
        package var latestOrderID: String?
        /// What takes its place at the next renewal.
        package var deferredProduct: Product?
        package var phase: PlayOrder.Phase
        /// The price of a period as the store shows it, in micros; nil is the market's list price.
        package var recurringMicros: Int64?
        package var priceChange: PlayPriceChange?
        package var stepUp: PlayStepUp?
        package var instalments: PlayInstalments?
        /// Gone from the next renewal on.
        package var isToBeRemoved = false

        /// A price needs the customer's yes and has not got it: the store ends such a purchase for that.
        var awaitsConsent: Bool {
            (priceChange?.mode == .optIn && priceChange?.state == .outstanding) || stepUp?.state == .pending
        }

        /// Whether the next payment comes: not of one that is to be removed.
        ///
        /// Of one whose customer left, while any is owed of those that were promised.
        var goesOn: Bool {
            let isOwed = instalments.map { !$0.isCancellationPending || $0.remaining > 0 } ?? true
            return renews && !isToBeRemoved && isOwed
        }
    }

    package var at: Int64
    package var state: State
    package var items: [Item]
    package var cancellation: Cancellation?
    /// The order that could not be collected.
    package var declinedOrderID: String?
    /// While paused, and from the moment a pause is planned.
    package var resumesAt: Int64?

    /// The item that stands for the purchase: the one that lasts longest, the first of equals.
    package var mainItem: Item? {
        items.max { $0.expiresAt < $1.expiresAt }.flatMap { last in items.first { $0.expiresAt == last.expiresAt } }
    }
}
