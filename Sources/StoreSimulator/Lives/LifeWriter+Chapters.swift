// SPDX-License-Identifier: Apache-2.0

extension LifeWriter {
    /// Plays a chapter and tells which one was played: one that does not fit becomes a plain renewal.
    mutating func play(_ planned: Chapter) -> Chapter {
        let chapter = fits(planned) ? planned : .renewal
        mark(chapter)
        guard let old = current else { return chapter }
        switch chapter {
        case .earlyRenewal: renewEarly()
        case .smallGap: renewAfterGap()
        case .offThenOn: waver()
        case .promotionalOffer:
            renew(offer: Offer(.promotional, .payAsYouGo, identifier: "loyal.20", term: product.term), share: 800)
        case .offerCodeRenewal:
            renew(offer: Offer(.code, .payUpFront, identifier: "SUMMER40", term: product.term), share: 600)
        case .promotionalFree:
            renew(offer: Offer(.promotional, .freeTrial, identifier: "loyal.free", term: product.term))
        case .promotionalUpFront:
            renew(offer: Offer(.promotional, .payUpFront, identifier: "loyal.up", term: product.term), share: 700)
        case .codeAsYouGo:
            renew(offer: Offer(.code, .payAsYouGo, identifier: "AUTUMN30", term: product.term), share: 700)
        case .priceAgreed: agreeToPrice()
        case .restored: restore()
        case .downgradeUndone: changeAndUndo()
        case .refundOfOlderReversed, .refundMoved, .refundRaised, .refundLowered: refundOlderTwice(chapter)
        case .refundReversed: refundAndReverse()
        case .refundDeclined: declineRefund()
        case .retryRecovered: recoverFromRetry(afterGrace: false)
        case .graceThenRetryRecovered: recoverFromRetry(afterGrace: true)
        case .graceRecovered: recoverInGrace()
        case .downgradeAtRenewal, .crossgradeAtRenewal, .upgrade: changeProduct(chapter)
        case .refundOfOlder: refundOlder(.full)
        case .proratedRefundOfOlder:
            refundOlder(.prorated(percentage: random.pick(40_000, 33_333, 62_500)))
        default:
            if chapter.isEnd { end(chapter, old) } else { renew() }
        }
        return chapter
    }

    /// Whether a chapter can happen in the present period.
    func fits(_ chapter: Chapter) -> Bool {
        guard let current else { return false }
        let isOwner = setting.ownership == .purchased
        switch chapter {
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

    private mutating func changeProduct(_ chapter: Chapter) {
        switch (chapter, product) {
        case (.upgrade, _): upgrade(to: .premiumMonthly)
        case (.downgradeAtRenewal, _): change(to: .monthly)
        case (_, .monthly): change(to: .yearly)
        default: change(to: .monthly)
        }
    }

    private mutating func end(_ chapter: Chapter, _ period: Period) {
        switch chapter {
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
        default: failToPay(chapter, period)
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

    private mutating func failToPay(_ chapter: Chapter, _ period: Period) {
        var trouble = Ending.BillingTrouble(outcome: .givenUp(at: period.expiresAt + 60 * CivilTime.day))
        var offAt = period.expiresAt + 60 * CivilTime.day
        if chapter == .graceLost { trouble.graceEndsAt = period.expiresAt + product.grace }
        if chapter == .retryCancelled {
            offAt = period.expiresAt + random.duration(from: 2 * CivilTime.day, to: 30 * CivilTime.day)
            trouble.outcome = .cancelled(at: offAt)
        }
        switchAutoRenew(false, at: offAt)
        amend { $0.ending = .billing(trouble) }
    }
}
