// SPDX-License-Identifier: Apache-2.0

/// When a charge is looked at again for a refund that no store event reported.
package enum RefundWatch {
    /// Days after the charge, App Store apps whose notification history is not readable.
    package static let appStoreDays: [Int64] = [30, 60]

    /// Google Play, besides the voided purchases of every night.
    package static let googlePlayDays: [Int64] = [7, 30, 60]

    /// The looks at a charge.
    ///
    /// The App Store takes refunds back: what was given back is looked at once more, the last time.
    package static func days(_ days: [Int64], isGivenBack: Bool, in store: StoreKind) -> [Int64] {
        guard isGivenBack else { return days }
        return store == .appStore ? days.max().map { [$0] } ?? [] : []
    }

    /// The latest of the looks, in days after a charge, that fell due in between; nil where none did.
    package static func due(
        charges: [Instant], after checkedAt: Instant, upTo now: Instant, days: [Int64]
    ) -> Int64? {
        days.filter { day in charges.contains { checkedAt < $0 + .days(day) && $0 + .days(day) <= now } }.max()
    }

    /// The first watch still to come after `checkedAt`, over all charges; nil when none is left.
    package static func next(charges: [Instant], checkedAt: Instant, days: [Int64] = appStoreDays) -> Instant? {
        charges.flatMap { charge in days.map { charge + .days($0) } }.filter { $0 > checkedAt }.min()
    }
}
