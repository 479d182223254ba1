// SPDX-License-Identifier: Apache-2.0

/// How a period comes about, the first one or the next.
extension LifeWriter {
    mutating func begin(_ step: AppStoreStep, at instant: Int64) {
        mark(step)
        var entry = Entry(.purchase, at: instant)
        (entry.offer, entry.share) = terms(of: step)
        if step == .commitment { entry.commitment = newCommitment(at: instant) }
        add(entry)
    }

    /// The offer that a step is bought under, and the thousandths of the list price that it costs.
    func terms(of step: AppStoreStep) -> (offer: Offer?, share: Int64) {
        let (term, trial) = (product.term, product.appStoreTrial)
        return switch step {
        case .freeTrial: (Offer(.introductory, .freeTrial, term: trial), 1_000)
        case .payAsYouGo: (Offer(.introductory, .payAsYouGo, term: term), 400)
        case .payUpFront: (Offer(.introductory, .payUpFront, term: term), 600)
        case .codeTrial: (Offer(.code, .freeTrial, identifier: "FRIENDS", term: trial), 1_000)
        case .offerCodeFirst: (Offer(.code, .payUpFront, identifier: "WELCOME25", term: term), 750)
        case .zeroPriceCode: (Offer(.code, .payUpFront, identifier: "PRESS100", term: term), 0)
        case .promotionalOffer: (Offer(.promotional, .payAsYouGo, identifier: "loyal.20", term: term), 800)
        case .promotionalFree: (Offer(.promotional, .freeTrial, identifier: "loyal.free", term: term), 1_000)
        case .promotionalUpFront: (Offer(.promotional, .payUpFront, identifier: "loyal.up", term: term), 700)
        case .offerCodeRenewal: (Offer(.code, .payUpFront, identifier: "SUMMER40", term: term), 600)
        case .codeAsYouGo: (Offer(.code, .payAsYouGo, identifier: "AUTUMN30", term: term), 700)
        case .winBack: (Offer(.winBack, .payAsYouGo, identifier: "comeback.half", term: term), 500)
        case .winBackUpFront: (Offer(.winBack, .payUpFront, identifier: "comeback.third", term: term), 660)
        case .winBackFree: (Offer(.winBack, .freeTrial, identifier: "comeback.free", term: trial), 1_000)
        default: (nil, 1_000)
        }
    }

    /// The next period, bought up to a day before the old one ends and beginning where that ends.
    mutating func renew(under terms: (offer: Offer?, share: Int64) = (nil, 1_000)) {
        let old = current
        let lead = random.duration(from: CivilTime.hour, to: leadLimit(of: old))
        var entry = Entry(.renewal, at: old.expiresAt, shownAt: old.expiresAt - lead)
        (entry.offer, entry.share) = terms
        add(entry)
    }

    /// The next period, so much late: meanwhile the store says that it renews itself, and nothing else.
    mutating func renew(late delay: Int64) {
        add(Entry(.renewal, at: current.expiresAt + delay))
    }

    mutating func renewToTheHorizon() {
        while !reachesHorizon { renew() }
    }

    /// An instant of a period, in thousandths of its length, on a whole second.
    func instant(in period: Period, perMille part: Int64) -> Int64 {
        let offset = (period.expiresAt - period.purchasedAt) / 1_000 * part
        return period.purchasedAt + offset / CivilTime.second * CivilTime.second
    }

    /// A random instant of a period between two thousandths of its length.
    mutating func instant(in period: Period, from first: Int64, to last: Int64) -> Int64 {
        random.duration(from: instant(in: period, perMille: first), to: instant(in: period, perMille: last))
    }

    /// The longest time before the expiry at which the renewal may appear: a day, less in short periods.
    private func leadLimit(of period: Period) -> Int64 {
        min(CivilTime.day, max(2 * CivilTime.hour, (period.expiresAt - period.purchasedAt) / 8))
    }
}
