// SPDX-License-Identifier: Apache-2.0

/// One line of an App Store customer as far as it is known: its periods, and how each of them is known to have ended.
struct AppStoreLineage: Sendable {
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

    /// None of its periods counts for testers and families.
    private var counts: Bool { environment == .production && ownership == .purchased }

    func segments() -> [Lineage.Segment] {
        guard counts else { return [] }
        return Lineage.segments(
            of: periods.filter(\.isPaid).map { image in
                Lineage.Ended(
                    image: image, declaredEnd: declaredEnd(of: image), effectiveEnd: effectiveEnd(of: image),
                    outcome: outcome(of: image))
            })
    }

    /// The periods that cost nothing.
    func freePeriods() -> [FreePeriod] {
        guard counts else { return [] }
        return periods.indices.filter { !periods[$0].isPaid }.map { place in
            FreePeriod(
                periods[place], declaredEnd: declaredEnd(of: periods[place]),
                coveredUntil: effectiveEnd(of: periods[place]),
                nextStart: place + 1 < periods.count ? periods[place + 1].booked.periodStart : nil)
        }
    }

    /// The expiry, an earlier revocation or successor, or the end of a grace that was granted.
    private func effectiveEnd(of image: PeriodImage) -> Int64 {
        let (declared, expiry) = (declaredEnd(of: image), image.booked.periodEnd)
        return declared < expiry ? declared : max(expiry, endings[image.index]?.graceEndsAt ?? expiry)
    }

    /// The same without a grace.
    private func declaredEnd(of image: PeriodImage) -> Int64 {
        let booked = image.booked
        if booked.isUpgraded, let successor = successor(of: image) {
            return min(booked.periodEnd, successor.booked.periodStart)
        }
        return min(booked.periodEnd, image.revocation?.at ?? booked.periodEnd)
    }

    private func successor(of image: PeriodImage) -> PeriodImage? { periods.first { $0.index > image.index } }

    /// A refund stands in the row for good, whoever asked when; any other end reason is shown only while it lasts.
    /// What comes after a lapse was bought again (a free period too: nobody pays at last with that) or, whatever the
    /// product, paid at last.
    private func outcome(of image: PeriodImage) -> Lineage.Outcome {
        let next = successor(of: image)
        if let next, !next.isPaid, next.booked.periodStart - effectiveEnd(of: image) <= CivilTime.day { return .moved }
        let ending = endings[image.index] ?? Ending()
        let cut = image.revocation.flatMap { $0.at < image.booked.periodEnd ? $0.reason : nil }
        if let reason = cut ?? ending.reason { return reason == .replaced ? .moved : .churned(reason) }
        if ending.isAwaitingPayment { return .lapsed }
        guard let next else { return .open }
        return next.booked.kind == .resubscribe || !next.isPaid ? .churned(.unknown) : .lapsed
    }
}
