// SPDX-License-Identifier: Apache-2.0

/// One order of a purchase as it really was: made, paid or declined, and what was given back later.
///
/// Instants are microseconds since the Unix epoch, money is micros of the market's currency.
package struct PlayOrder: Hashable, Sendable {
    /// What is paid for.
    package enum Phase: Hashable, Sendable {
        case base, freeTrial, introductory
        /// The time between a change of plan and its first whole period: paid before, in part, or by what was left over.
        case proration
    }

    /// One product of an order.
    package struct Line: Hashable, Sendable {
        package var product: Product
        package var phase: Phase
        package var listMicros: Int64
        /// Paid, tax included.
        package var totalMicros: Int64
        package var taxMicros: Int64
        /// What the store paid of the price in the customer's place.
        package var couponMicros: Int64 = 0
    }

    /// Money given back.
    package struct Refund: Hashable, Sendable {
        package var requestedAt: Int64
        /// Only from here on it counts.
        package var processedAt: Int64
        package var micros: Int64
        package var taxMicros: Int64
        /// What is left of the order is given back: it is the last one.
        package var isWhole: Bool
        package var isChargeback = false
        /// The product that was taken back alone; nil where it is of all that the order was for.
        package var product: Product?
    }

    /// The entry in the list of voided purchases.
    package struct Void: Hashable, Sendable {
        package var at: Int64
        /// When the store's system came to know; the list is searched by this.
        package var seenAt: Int64
        /// 0 user, 1 developer, 2 Google.
        package var source: Int
        /// 0 other, 1 remorse, 7 chargeback, 8 never acknowledged.
        package var reason: Int
        /// How many units of a sale it is of; nil for all that was bought.
        package var quantity: Int64?
    }

    package var id: String
    package var createdAt: Int64
    /// When it was paid; nil for one that never was.
    package var processedAt: Int64?
    /// When the store gave up collecting it.
    package var canceledAt: Int64?
    package var lines: [Line]
    package var serviceStart: Int64
    package var serviceEnd: Int64
    /// The developer's part of the whole charge; nil where the store does not report it.
    package var revenueMicros: Int64?
    /// Units of what is sold once.
    package var quantity: Int64 = 1
    package var refunds: [Refund] = []
    package var void: Void?
    /// Whether the order shows where its buyer lives.
    package var showsAddress = true
    /// The orders interface does not know it.
    package var isUnknown = false
    /// The orders interface leaves it out until then, though its purchase names it.
    package var hiddenUntil: Int64?

    package var totalMicros: Int64 { lines.map(\.totalMicros).reduce(0, +) }
    package var taxMicros: Int64 { lines.map(\.taxMicros).reduce(0, +) }
    /// What the store paid in the customer's place; the developer gets the part of the whole price.
    package var couponMicros: Int64 { lines.map(\.couponMicros).reduce(0, +) }
    package var isTrial: Bool { lines.first?.phase == .freeTrial }
    /// Not free, and its price not 0, or the store's to pay: its customer counts as paying.
    ///
    /// A proration period carries the price of its plan, whatever was charged for it.
    package var isPaid: Bool {
        !isTrial
            && (totalMicros != 0 || lines.first?.phase == .proration || (couponMicros > 0 && revenueMicros ?? 0 > 0))
    }
    /// Whether it is for an add-on alone, bought to a purchase that was running.
    package var isForAddOn: Bool { lines.first?.product == .addonMonthly }
    /// Whether it is for something sold once.
    package var isOneTime: Bool { mainProduct.isOneTime }
    /// The product that stands for the purchase.
    package var mainProduct: Product { lines.first?.product ?? .monthly }
    /// The id without the number of the renewal.
    package var baseID: String { id.firstRange(of: "..").map { String(id[..<$0.lowerBound]) } ?? id }

    package func isSettled(at now: Int64) -> Bool { processedAt.map { $0 <= now } ?? false }

    /// The refunds that count by then, in their order.
    package func refunds(at now: Int64) -> [Refund] { refunds.filter { $0.processedAt <= now } }

    package func isWhollyRefunded(at now: Int64) -> Bool { refunds(at: now).contains(where: \.isWhole) }
}
