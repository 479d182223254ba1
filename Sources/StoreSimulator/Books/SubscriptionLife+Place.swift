// SPDX-License-Identifier: Apache-2.0

/// What each period is in the line of its customer, by the story and not by anything a reader could derive.
extension SubscriptionLife {
    struct Place: Hashable {
        var kind: BookedTransaction.Kind
        var isTrialConversion = false
    }

    /// A receipt tells neither prices nor why a transaction was made: whether a gap was spent in retry is known there
    /// only to who was told so at the time.
    func place(of index: Int, at now: Int64, in app: SimulatedApp, told: [Int: LineageStory.Ending]) -> Place {
        let pricesAreKnown = app.api == .server
        let period = periods[index]
        if period.isTrial { return Place(kind: .trial) }
        guard index > 0 else { return Place(kind: .purchase) }
        let previous = periods[index - 1]
        let knowsRetry = pricesAreKnown || told[index - 1]?.wasUnpaid == true
        let goesOn = goesOn(from: previous, to: period, at: now, knowsRetry: knowsRetry)
        let isPaid = { (other: Period) in pricesAreKnown ? other.isPaid : !other.isTrial }
        let earlier = periods[..<index]
        if isPaid(period) ? !earlier.contains(where: isPaid) : !earlier.contains(where: { !$0.isTrial }) {
            return Place(kind: .purchase, isTrialConversion: isPaid(period) && previous.isTrial && goesOn)
        }
        guard goesOn else { return Place(kind: .resubscribe) }
        guard previous.productID != period.productID else { return Place(kind: .renewal) }
        return Place(kind: pricesAreKnown ? direction(from: previous, to: period) : .crossgrade)
    }

    /// No lapse: replaced on the spot, paid out of grace or retry, or within a day of the end.
    private func goesOn(from previous: Period, to next: Period, at now: Int64, knowsRetry: Bool) -> Bool {
        if previous.upgradedAt != nil { return true }
        if knowsRetry, case .billing(let trouble) = previous.ending, trouble.outcome == .recovers { return true }
        let end = min(previous.expiresAt, previous.refund(at: now)?.at ?? previous.expiresAt)
        return next.purchasedAt - end <= CivilTime.day
    }

    private func direction(from previous: Period, to next: Period) -> BookedTransaction.Kind {
        guard let old = previous.priceMilliunits, let new = next.priceMilliunits, old > 0, new > 0 else {
            return .crossgrade
        }
        let (before, after) = (previous.term.monthlyValue(of: old), next.term.monthlyValue(of: new))
        return before == after ? .crossgrade : before < after ? .upgrade : .downgrade
    }
}
