// SPDX-License-Identifier: Apache-2.0

/// How a life goes on at an expiry, by the step that was drawn for it.
extension LifeWriter {
    /// Takes a step and returns the one that was taken: one that does not fit becomes a plain renewal.
    mutating func take(_ planned: AppStoreStep) -> AppStoreStep {
        let step = fits(planned) ? planned : .renewal
        mark(step)
        if step.isEnd { end(step, current) } else { goOn(step, current) }
        return step
    }

    /// Whether a step can happen in the present period.
    func fits(_ step: AppStoreStep) -> Bool {
        let isOwner = setting.ownership == .purchased
        switch step {
        case .upgrade: return isOwner && isPlain && [.weekly, .monthly, .yearly].contains(product)
        case .downgradeAtRenewal: return isOwner && isPlain && product == .premiumMonthly
        case .crossgradeAtRenewal: return isOwner && isPlain && [.monthly, .yearly].contains(product)
        case .downgradeUndone: return isOwner && isPlain && [.monthly, .premiumMonthly].contains(product)
        case .refundOfOlder, .proratedRefundOfOlder, .refundOfOlderReversed, .refundMoved, .refundRaised,
            .refundLowered, .refundReversed, .refundDeclined:
            return isOwner && current.isPaid && product != .yearly
        case .refundOfCurrent, .proratedRefundOfCurrent, .promotionalOffer, .promotionalFree, .promotionalUpFront,
            .offerCodeRenewal, .codeAsYouGo, .priceAgreed, .priceRefused:
            return isOwner && current.isPaid
        case .familyRevoked: return !isOwner
        default: return true
        }
    }

    private mutating func goOn(_ step: AppStoreStep, _ old: Period) {
        switch step {
        // Dated some hours before the old expiry, and ending where it would have ended anyway.
        case .earlyRenewal:
            add(Entry(.renewal, at: old.expiresAt - random.hours(1...6), until: product.term.after(old.expiresAt)))
        case .smallGap: renew(late: random.duration(from: 30 * CivilTime.second, to: 4 * CivilTime.minute))
        case .offThenOn:
            switchAutoRenew(false, at: instant(in: old, from: 200, to: 400))
            switchAutoRenew(true, at: instant(in: old, from: 500, to: 700))
            renew()
        case .priceAgreed:
            consent(.pending, at: instant(in: old, from: 100, to: 300))
            consent(.agreed, at: instant(in: old, from: 400, to: 700))
            markup = markup * 115 / 100
            renew()
            consent(nil, at: current.createdAt)
        // On another device the new period comes back under another transaction id.
        case .restored:
            renew()
            let at = instant(in: current, from: 200, to: 600)
            let identifier = identifiers.transaction()
            amend { $0.restores = [.init(at: at, identifier)] }
        // Paid within the grace: the billing date stays.
        case .graceRecovered:
            fail(.recovers, graceEndsAt: old.expiresAt + product.appStoreGrace)
            let paidAt = old.expiresAt + random.duration(from: 2 * CivilTime.hour, to: product.appStoreGrace * 3 / 4)
            add(Entry(.renewal, at: paidAt, until: product.term.after(old.expiresAt)))
        // Paid some days later, outside any grace: a new billing date.
        case .retryRecovered, .graceThenRetryRecovered:
            let graceEndsAt = step == .retryRecovered ? nil : old.expiresAt + product.appStoreGrace
            fail(.recovers, graceEndsAt: graceEndsAt)
            let earliest = (graceEndsAt ?? old.expiresAt) + 2 * CivilTime.day
            add(Entry(.renewal, at: random.duration(from: earliest, to: old.expiresAt + 55 * CivilTime.day)))
        default: changeProduct(step, old)
        }
    }

    private mutating func changeProduct(_ step: AppStoreStep, _ old: Period) {
        switch step {
        // Another product is chosen for the next period, and the old one again before it begins.
        case .downgradeUndone:
            choose(product == .monthly ? .yearly : .monthly, at: instant(in: old, from: 200, to: 400))
            choose(product, at: instant(in: old, from: 500, to: 700))
            renew()
        case .downgradeAtRenewal, .crossgradeAtRenewal:
            let next: Product = step == .crossgradeAtRenewal && product == .monthly ? .yearly : .monthly
            renews(into: next, at: instant(in: old, from: 300, to: 800))
            renew()
        // A dearer product at once: the running period is superseded.
        case .upgrade:
            let at = instant(in: old, from: 200, to: 800)
            amend { $0.upgradedAt = at }
            renews(into: .premiumMonthly, at: at)
            add(Entry(.purchase, at: at))
        default: refund(step, old)
        }
    }
}

extension LifeWriter {
    /// What may come next when no scenario says so, in parts of 1,000; the rest are plain renewals.
    private static let odds: [(AppStoreStep, Int64)] = [
        (.earlyRenewal, 20), (.smallGap, 25), (.offThenOn, 20), (.promotionalOffer, 15), (.offerCodeRenewal, 10),
        (.voluntary, 45), (.priceRefused, 4), (.productGone, 3), (.unknownEnd, 3), (.retryRecovered, 15),
        (.retryLost, 12), (.retryCancelled, 6), (.graceRecovered, 15), (.graceThenRetryRecovered, 10),
        (.graceLost, 10), (.refundOfCurrent, 10), (.refundOfOlder, 10), (.proratedRefundOfOlder, 8), (.upgrade, 15),
        (.downgradeAtRenewal, 20), (.crossgradeAtRenewal, 8), (.downgradeUndone, 12), (.priceAgreed, 6), (.restored, 8),
        (.promotionalFree, 4), (.promotionalUpFront, 4), (.codeAsYouGo, 4), (.refundOfOlderReversed, 4),
        (.refundMoved, 3), (.refundRaised, 3), (.refundLowered, 3), (.refundReversed, 4), (.refundDeclined, 4),
        (.proratedRefundOfCurrent, 8), (.familyRevoked, 30),
    ]

    /// Writes the rest of the life: the scenario's steps first, then whatever chance brings.
    mutating func write(_ planned: [AppStoreStep]) {
        var planned = planned[...]
        while !reachesHorizon {
            let step =
                planned.popFirst() ?? AppStoreStep.drawn(by: random.value(in: 0...999), of: Self.odds) ?? .renewal
            guard !step.isReturn, take(step).isEnd else { continue }
            guard let again = planned.popFirst() ?? returnByChance() else { return }
            let count = life.periods.count
            comeBack(again)
            guard life.periods.count > count else { return }
        }
    }

    private mutating func returnByChance() -> AppStoreStep? {
        guard random.chance(perMille: 250) else { return nil }
        return random.pick(
            .repurchase, .repurchase, .repurchase, .lateRepurchase, .winBack, .winBackFree, .winBackUpFront)
    }
}
