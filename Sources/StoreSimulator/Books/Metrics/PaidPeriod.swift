// SPDX-License-Identifier: Apache-2.0

/// One paid period of a lineage as far as it is known: when, of what, and at which price.
struct PaidPeriod: Sendable {
    var start: Int64
    var productID: String
    /// ISO 3166-1 alpha-2; nil where the store does not name it.
    var country: String?
    /// Google Play's base plan of it; nil where the store has none.
    var basePlanID: String?
    /// The expiry as it was last reported, or what cut the period short; a grace is no part of it.
    var declaredEnd: Int64
    /// The end that the store stated at first.
    var statedEnd: Int64
    /// The App Store's original transaction id, Google Play's token.
    var subscriptionID: String
    var kind: BookedTransaction.Kind
    /// Nil where the price is not known.
    var charge: Charge?
    /// What a whole period of its plan costs, where it was the rest of another after a change of plan.
    var recurring: Charge?
    /// Whether any of it was given back.
    var isRefunded: Bool
    /// How long a period of its product lasts.
    var term: Term
    /// Of a group's, those it was bought for less those given back; nil where nobody bought for a group.
    private var ownSeats: Int64?
    /// Which payment of its customer it is, where that was counted.
    var tenure: Tenure?
    /// What was bought before it for the same period and runs on beside it: the seats that it adds to.
    private(set) var beside: [PaidPeriod] = []

    /// Whether it is nothing but more seats of the period before it.
    var isAddition: Bool { !beside.isEmpty }

    /// With those of what it adds to.
    var seats: Int { Int(([self] + beside).compactMap(\.ownSeats).reduce(0, +)) }

    mutating func isAddition(to earlier: PaidPeriod?) {
        guard let earlier, earlier.statedEnd == statedEnd else { return }
        beside = [earlier] + earlier.beside
    }

    /// What was charged for it, all products of the order together.
    struct Charge: Hashable, Sendable {
        var micros: Int64
        /// Nil where the store does not report it.
        var taxMicros: Int64?
        /// The developer's part; nil where the store does not report it.
        var proceedsMicros: Int64?
        /// Per cent of the price before tax that the store keeps by its published rates; nil where it is not asked for.
        var feePercent: Int64?
        var currency: String
    }

    init(_ image: PeriodImage, declaredEnd: Int64) {
        let booked = image.booked
        start = booked.periodStart
        (productID, country, basePlanID) = (booked.productID, booked.country, booked.basePlanID)
        self.declaredEnd = declaredEnd
        statedEnd = booked.periodEnd
        subscriptionID = image.speaker
        kind = booked.kind
        (charge, recurring) = (image.charge, image.recurringCharge)
        isRefunded = booked.refundedAt != nil
        term = image.term ?? .months(1)
        ownSeats = booked.seats
    }
}

/// One period of a lineage for which nothing was paid.
struct FreePeriod: Sendable {
    var start: Int64
    /// The expiry as last reported, or what cut it short; a grace is no part of it.
    var declaredEnd: Int64
    /// The same, or the end of a grace that was granted.
    var coveredUntil: Int64
    /// The start of whatever came next.
    var nextStart: Int64?
    var productID: String
    var country: String?
    var subscriptionID: String
    /// A free trial; not just a price of nothing.
    var isTrial: Bool
    /// Offered to a customer whom the app knew: nobody's first try.
    var isOfferedToTheKnown: Bool

    init(_ image: PeriodImage, declaredEnd: Int64, coveredUntil: Int64, nextStart: Int64?) {
        let booked = image.booked
        start = booked.periodStart
        self.declaredEnd = declaredEnd
        self.coveredUntil = coveredUntil
        self.nextStart = nextStart
        (productID, country) = (booked.productID, booked.country)
        subscriptionID = image.subscriptionID
        isTrial = booked.kind == .trial
        isOfferedToTheKnown = booked.offerType == .promotional || booked.offerType == .winBack
    }

    /// Until when it stands for its lineage.
    var end: Int64 { min(declaredEnd, nextStart ?? declaredEnd) }
}
