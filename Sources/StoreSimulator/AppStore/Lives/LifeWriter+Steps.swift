// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// Takes a step and returns the one that was taken: one that does not fit becomes a plain renewal.
    mutating func take(_ planned: AppStoreStep) -> AppStoreStep {
        let step = fits(planned) ? planned : .renewal
        mark(step)
        guard let old = current else { return step }
        switch step {
        case .earlyRenewal: renewEarly()
        case .smallGap: renewAfterGap()
        case .offThenOn: waver()
        case .priceAgreed: agreeToPrice()
        case .restored: restore()
        case .downgradeUndone: changeAndUndo()
        case .refundOfOlderReversed, .refundMoved, .refundRaised, .refundLowered: refundOlderTwice(step)
        case .refundReversed: refundAndReverse()
        case .refundDeclined: declineRefund()
        case .retryRecovered: recoverFromRetry(afterGrace: false)
        case .graceThenRetryRecovered: recoverFromRetry(afterGrace: true)
        case .graceRecovered: recoverInGrace()
        case .downgradeAtRenewal, .crossgradeAtRenewal, .upgrade: changeProduct(step)
        case .refundOfOlder: refundOlder(.full)
        case .proratedRefundOfOlder:
            refundOlder(.prorated(percentage: random.pick(40_000, 33_333, 62_500)))
        default:
            if step.isEnd { end(step, old) } else { renew(under: terms(of: step)) }
        }
        return step
    }

    /// Whether a step can happen in the present period.
    func fits(_ step: AppStoreStep) -> Bool {
        guard let current else { return false }
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

    private mutating func changeProduct(_ step: AppStoreStep) {
        switch (step, product) {
        case (.upgrade, _): upgrade(to: .premiumMonthly)
        case (.downgradeAtRenewal, _): change(to: .monthly)
        case (_, .monthly): change(to: .yearly)
        default: change(to: .monthly)
        }
    }

    private mutating func end(_ step: AppStoreStep, _ period: Period) {
        switch step {
        case .voluntary:
            switchAutoRenew(false, at: instant(in: period, from: 200, to: 900))
            amend { $0.ending = .expires(.voluntary) }
        case .priceRefused:
            consent(.pending, at: instant(in: period, from: 100, to: 300))
            expire(.price, at: period.expiresAt)
        case .productGone: expire(.product, at: period.expiresAt)
        case .unknownEnd: expire(.unknown, at: period.expiresAt)
        case .refundOfCurrent: refundCurrent(period, .full)
        case .proratedRefundOfCurrent:
            refundCurrent(period, .prorated(percentage: random.pick(50_000, 25_000, 80_123)))
        case .familyRevoked: refundCurrent(period, .familyRevoke)
        default: failToPay(step, period)
        }
    }

    private mutating func expire(_ intent: Ending.Intent, at instant: Int64) {
        switchAutoRenew(false, at: instant)
        amend { $0.ending = .expires(intent) }
    }

    private mutating func refundCurrent(_ period: Period, _ extent: Refund.Extent) {
        let latest = min(instant(in: period, perMille: 900), period.purchasedAt + setting.refundLimit)
        let at = random.duration(from: period.purchasedAt + CivilTime.hour, to: latest)
        let reason = extent == .familyRevoke ? 0 : random.pick(0, 1)
        amend { $0.refund = Refund(at: at, extent: extent, reason: reason) }
        switchAutoRenew(false, at: at)
    }

    private mutating func failToPay(_ step: AppStoreStep, _ period: Period) {
        var trouble = Ending.BillingTrouble(outcome: .givenUp(at: period.expiresAt + 60 * CivilTime.day))
        var offAt = period.expiresAt + 60 * CivilTime.day
        if step == .graceLost { trouble.graceEndsAt = period.expiresAt + product.appStoreGrace }
        if step == .retryCancelled {
            offAt = period.expiresAt + random.duration(from: 2 * CivilTime.day, to: 30 * CivilTime.day)
            trouble.outcome = .cancelled(at: offAt)
        }
        switchAutoRenew(false, at: offAt)
        amend { $0.ending = .billing(trouble) }
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
            let step = planned.popFirst() ?? stepByChance()
            if step.isReturn { continue }
            guard take(step).isEnd else { continue }
            guard let again = planned.popFirst() ?? returnByChance() else { return }
            let count = life.periods.count
            comeBack(again)
            guard life.periods.count > count else { return }
        }
    }

    private mutating func stepByChance() -> AppStoreStep {
        var ticket = random.value(in: 0...999)
        for (step, parts) in Self.odds {
            if ticket < parts { return step }
            ticket -= parts
        }
        return .renewal
    }

    private mutating func returnByChance() -> AppStoreStep? {
        guard random.chance(perMille: 250) else { return nil }
        return random.pick(
            .repurchase, .repurchase, .repurchase, .lateRepurchase, .winBack, .winBackFree, .winBackUpFront)
    }
}
