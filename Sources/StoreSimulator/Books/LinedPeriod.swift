// SPDX-License-Identifier: Apache-2.0

/// One period of a lineage as far as it is known: as its store shows it, and how it came out at its end.
struct LinedPeriod: Sendable {
    var image: PeriodImage
    /// The expiry as it was last reported, or what cut the period short; a grace is no part of it.
    var declaredEnd: Int64
    /// The same, or the end of a grace that was granted.
    var coveredUntil: Int64
    var outcome: Lineage.Outcome
    /// The start of whatever came next.
    var nextStart: Int64?
    /// Which payment of its customer it is (1 for the first one of a stay), where that was counted.
    var tenure: (customer: String, payment: Int)?
    /// What was bought before it for the same period and runs on beside it: the seats that it adds to.
    private(set) var beside: [LinedPeriod] = []

    /// Nothing but seats that are gone while their period goes on: since when, and what they had cost.
    private(set) var less: (since: Int64, micros: Int64)?

    var start: Int64 { less?.since ?? image.booked.periodStart }
    /// The end that the store stated at first.
    var statedEnd: Int64 { image.booked.periodEnd }
    var productID: String { image.booked.productID }
    var country: String? { image.booked.country }
    /// What was charged for it, all products of the order together; nil where the price is not known.
    var charge: PeriodImage.Charge? { image.charge }
    /// Whether any of it was given back.
    var isRefunded: Bool { image.booked.refundedAt != nil }
    /// The App Store's original transaction id, Google Play's token; of what was paid for, the one that goes on with it.
    var subscriptionID: String { image.isPaid ? image.speaker : image.subscriptionID }

    /// Whether it is nothing but more seats of the period before it.
    var isAddition: Bool { !beside.isEmpty }

    /// Those it was bought for less those given back, with those of what it adds to.
    var seats: Int {
        Int(([self] + beside).filter { $0.less == nil }.compactMap(\.image.booked.seats).reduce(0, +))
    }

    /// What it is from the day on which seats of it were given back, where it went on; nil where none were.
    ///
    /// Of a transaction that was taken back whole all seats are gone, however much money was given for them. It comes
    /// out like the newest transaction of the period.
    func lessened(among periods: [LinedPeriod]) -> LinedPeriod? {
        let booked = image.booked
        let following = periods.filter { $0.statedEnd > statedEnd && $0.start > start }.map(\.start).min()
        guard booked.seats != nil, let at = booked.refundedAt, at > booked.periodStart, at < coveredUntil,
            at < following ?? coveredUntil,
            let micros = image.revocation == nil ? booked.refundMicros : image.charge?.micros
        else { return nil }
        var piece = self
        piece.less = (at, micros)
        if let newest = periods.last(where: { $0.image.booked.seats != nil && $0.statedEnd == statedEnd }) {
            (piece.outcome, piece.nextStart) = (newest.outcome, newest.nextStart)
        }
        return piece
    }

    mutating func isAddition(to earlier: LinedPeriod?) {
        guard let earlier, earlier.statedEnd == statedEnd else { return }
        beside = [earlier] + earlier.beside
    }

    /// Free, not just at a price of nothing, and not on an offer to customers whom the app knew.
    var isForNewCustomers: Bool { image.booked.kind == .trial && image.booked.offerType?.isForKnownCustomers != true }

    /// Until when what cost nothing stands for its lineage.
    var freeUntil: Int64 { min(declaredEnd, nextStart ?? declaredEnd) }
}
