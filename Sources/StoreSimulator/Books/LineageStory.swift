// SPDX-License-Identifier: Apache-2.0

/// One lineage as far as it is known: its periods, and how each of them is known to have ended.
struct LineageStory: Sendable {
    /// How a period is known to have come out at its end.
    struct Ending: Hashable, Sendable {
        /// The end of the grace the store granted for it.
        var graceEndsAt: Int64?
        /// The store said that it awaits the payment.
        var isAwaitingPayment = false
        /// The store said that it is over, and why.
        var reason: EndReason?

        var wasUnpaid: Bool { isAwaitingPayment || graceEndsAt != nil }
    }

    var appID: String
    var environment: StoreEnvironment
    var ownership: Ownership
    /// In their order; of several items of a transaction the first, which stands for all of them.
    var periods: [PeriodImage]
    /// The other items: nothing but their money is the lineage's.
    var besides: [PeriodImage] = []
    var endings: [Int: Ending] = [:]

    /// A stretch without a lapse: from its first period's start to an effective end.
    struct Segment: Hashable {
        var pieces: [PaidPeriod]
        var end: Int64
        var productID: String
        var outcome: Outcome

        static func == (left: Segment, right: Segment) -> Bool {
            left.end == right.end && left.productID == right.productID && left.outcome == right.outcome
        }
        func hash(into hasher: inout Hasher) { hasher.combine(end) }
    }

    /// What became of a segment at its end.
    enum Outcome: Hashable {
        /// Nobody said that it ended.
        case open
        case churned(EndReason)
        case lapsed
        /// Left the paying ones without churn: the customer put it to rest for a while.
        case paused
        /// Left them without churn in any other way: on in a period that costs nothing, or replaced by another purchase.
        case moved
    }

    /// The stretches of paid time, each with its outcome.
    func segments() -> [Segment] {
        guard environment == .production, ownership == .purchased else { return [] }
        let paid = periods.filter(\.isPaid)
        var segments: [Segment] = []
        for image in paid {
            let end = effectiveEnd(of: image)
            var piece = PaidPeriod(image, declaredEnd: declaredEnd(of: image))
            if image.isAddition { piece.isAddition(to: segments.last?.pieces.last) }
            if let last = segments.indices.last, piece.start - segments[last].end <= CivilTime.day {
                segments[last].pieces.append(piece)
                segments[last].end = max(segments[last].end, end)
                segments[last].productID = image.booked.productID
            } else {
                segments.append(
                    Segment(
                        pieces: [piece], end: end, productID: image.booked.productID, outcome: .open))
            }
            segments[segments.count - 1].outcome = outcome(of: image)
        }
        return segments
    }

    /// The periods that cost nothing; none of them counts for testers and families.
    func freePeriods() -> [FreePeriod] {
        guard environment == .production, ownership == .purchased else { return [] }
        return periods.indices.filter { !periods[$0].isPaid }.map { place in
            FreePeriod(
                periods[place].booked, subscription: periods[place].booked.originalTransactionID,
                declaredEnd: declaredEnd(of: periods[place]), coveredUntil: effectiveEnd(of: periods[place]),
                nextStart: place + 1 < periods.count ? periods[place + 1].booked.periodStart : nil)
        }
    }

    /// The expiry, an earlier revocation or successor, or the end of a grace that was granted.
    private func effectiveEnd(of image: PeriodImage) -> Int64 {
        let (declared, expiry) = (declaredEnd(of: image), image.booked.periodEnd)
        return declared < expiry ? declared : max(expiry, endings[image.index]?.graceEndsAt ?? expiry)
    }

    /// The same without a grace.
    func declaredEnd(of image: PeriodImage) -> Int64 {
        let booked = image.booked
        if booked.isUpgraded, let successor = periods.first(where: { $0.index > image.index }) {
            return min(booked.periodEnd, successor.booked.periodStart)
        }
        return min(booked.periodEnd, image.revocation?.at ?? booked.periodEnd)
    }

    /// A refund stands in the row for good, whoever asked when; why else a stretch ended is told only while it lasts.
    /// What comes after a lapse was bought again (a free period too: nobody pays at last with that) or, whatever the
    /// product, paid at last.
    private func outcome(of image: PeriodImage) -> Outcome {
        if goesOnFree(after: image) { return .moved }
        if let reason = image.endedBy { return reason == .replaced ? .moved : .churned(reason) }
        let ending = endings[image.index] ?? Ending()
        if let reason = ending.reason { return reason == .replaced ? .moved : .churned(reason) }
        if ending.isAwaitingPayment { return .lapsed }
        guard let next = periods.first(where: { $0.index > image.index }) else { return .open }
        return next.booked.kind == .resubscribe || !next.isPaid ? .churned(.unknown) : .lapsed
    }

    private func goesOnFree(after image: PeriodImage) -> Bool {
        guard let next = periods.first(where: { $0.index > image.index }), !next.isPaid else { return false }
        return next.booked.periodStart - effectiveEnd(of: image) <= CivilTime.day
    }
}

extension PeriodImage {
    /// Why the period ended before its time, where its row says so.
    fileprivate var endedBy: EndReason? {
        revocation.flatMap { $0.at < booked.periodEnd ? $0.reason : nil }
    }
}
