// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// The orders of the purchases that came after another one.
///
/// They show at any later time whether those cut it short or went on with what it had paid for: a deferred replacement
/// goes on, and so does one that keeps the product beside a new one.
struct Successor {
    /// An order that begins within so much of a period's end follows it.
    private static let tolerance = Span.hours(1)

    private var orders: [(productID: String, start: Instant)]

    init(_ periods: [ObservedPeriod]) {
        orders = periods.map { ($0.productID, $0.start) }
    }

    /// Those that we hold already.
    mutating func take(_ known: [KnownPeriod]) {
        orders += known.map { ($0.productID, $0.start) }
    }

    /// Nothing of its product, or nothing at all, was sold before the period was over, and something when it was.
    func wentOn(with period: ObservedPeriod) -> Bool {
        guard let end = period.end else { return false }
        let early = orders.filter { $0.start < end - Self.tolerance }
        let next = orders.filter { abs($0.start.micros - end.micros) <= Self.tolerance.micros }
        guard !early.isEmpty else { return !next.isEmpty }
        return !early.contains { $0.productID == period.productID }
            && next.contains { $0.productID == period.productID }
    }
}
