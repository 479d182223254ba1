// SPDX-License-Identifier: Apache-2.0

extension PlayWriter {
    /// What may come next when no scenario says so, in parts of 1,000; the rest are plain renewals.
    private static let odds: [(PlayStep, Int64)] = [
        (.voluntary, 45), (.developerCancelled, 5), (.silentGraceLost, 10), (.graceLost, 10), (.graceThenHoldLost, 8),
        (.holdLost, 10), (.refundOfCurrent, 10), (.chargeback, 6), (.silentGraceRenewed, 25), (.graceRecovered, 15),
        (.holdRecovered, 15), (.declinedOrder, 15), (.numberSkipped, 10), (.cancelledAndRestored, 15), (.pause, 10),
        (.deferral, 8), (.downgradeDeferred, 15), (.onePartialRefund, 10), (.twoPartialRefunds, 6),
        (.refundOfOlder, 8), (.upgrade, 15), (.downgrade, 10), (.crossgrade, 8), (.resignup, 10),
        (.graceThenHoldRecovered, 8), (.pauseEndedEarly, 6), (.pauseThenHold, 6), (.longDeferral, 6),
        (.addOnBought, 8), (.addOnRemoved, 60), (.refundWithoutRevoke, 6), (.optOutIncrease, 6), (.optInAccepted, 6),
        (.priceChangeCancelled, 6), (.priceDecrease, 6), (.optInRefused, 5), (.proratedRevoke, 5),
        (.timeProration, 6), (.proratedPrice, 6), (.withoutProration, 6), (.creditedTime, 6), (.renewingToPrepaid, 5),
        (.planLengthened, 40), (.planLengthenedAtOnce, 40), (.planShortened, 100), (.addOnKept, 8),
        (.addOnRefunded, 60), (.discounted, 6), (.discountedWholly, 6),
    ]

    /// Writes the rest of the life: the scenario's steps first, then whatever chance brings.
    mutating func write(_ planned: [PlayStep]) {
        guard tokens.last?.isTest == false, paid != nil else { return }
        guard !steps.contains(.forgotten) else { return end(.voluntary) }
        var planned = planned[...]
        while !reachesHorizon {
            let step = planned.popFirst() ?? stepByChance()
            guard ![.resubscribe, .resubscribeOutside].contains(step), take(step).isEnd else { continue }
            let next = planned.popFirst()
            let returns = next == .resubscribe || next == .resubscribeOutside || random.chance(perMille: 200)
            let count = tokens.count
            if returns { subscribeAgain(isOutside: isLeftFor(next, after: step)) }
            guard tokens.count > count else { return }
        }
    }

    /// Whether the customer comes back outside the app: some do who left of their own accord.
    private mutating func isLeftFor(_ next: PlayStep?, after step: PlayStep) -> Bool {
        guard !setting.isReadByV1, case .user? = tokens.last?.moments.last?.cancellation else { return false }
        guard !setting.without.contains(.resubscribeOutside), instalments == nil else { return false }
        let isOutside = next == .resubscribeOutside || serviceEnd / CivilTime.second % 3 == 0
        if isOutside { mark(.resubscribeOutside) }
        return isOutside
    }

    private mutating func stepByChance() -> PlayStep {
        var ticket = random.value(in: 0...999)
        if tokens.last?.isPrepaid == true {
            return ticket < 600 ? .topUp : ticket < 850 ? .prepaidLapsed : .prepaidToRenewing
        }
        if instalments != nil { return ticket < 800 ? .renewal : .instalmentsCancelled }
        for (step, parts) in Self.odds {
            if ticket < parts { return step }
            ticket -= parts
        }
        return .renewal
    }

    /// Takes a step and returns the one that was taken: one that does not fit becomes a plain renewal.
    private mutating func take(_ planned: PlayStep) -> PlayStep {
        let plain: PlayStep = tokens.last?.isPrepaid == true ? .topUp : .renewal
        let step = fits(planned) && !setting.without.contains(planned) ? planned : plain
        mark(step)
        if step.isEnd {
            end(step)
            return step
        }
        switch step {
        case .silentGraceRenewed: renewInSilentGrace()
        case .graceRecovered: recoverInGrace()
        case .holdRecovered: recoverFromHold()
        case .declinedOrder: renewAfterDecline()
        case .cancelledAndRestored: waver()
        case .pause: pause()
        case .deferral: deferExpiry()
        case .downgradeDeferred: downgradeAtRenewal()
        case .topUp: topUp()
        case .onePartialRefund: refundQuarters([(random.pick(1, 2), 200, 400)])
        case .twoPartialRefunds: refundQuarters([(1, 200, 400), (2, 500, 700)])
        case .refundOfOlder: refundOlder()
        case .upgrade: replace(by: .premiumMonthly, at: instant(from: 200, to: 800))
        case .downgrade: replace(by: .monthly, at: instant(from: 200, to: 800))
        case .crossgrade: replace(by: product == .monthly ? .yearly : .monthly, at: instant(from: 200, to: 800))
        case .resignup: signUpAgain()
        case .graceThenHoldRecovered: recoverFromHoldAfterGrace()
        case .pauseEndedEarly: endPauseEarly()
        case .pauseThenHold: pauseIntoHold()
        case .longDeferral: deferForLong()
        case .numberSkipped:
            number += 1
            renew()
        default: takePlanStep(step)
        }
        return step
    }

    /// What befalls the plan: its price, its items, or what it is.
    private mutating func takePlanStep(_ step: PlayStep) {
        switch step {
        case .addOnBought: buyAddOn()
        case .addOnKept: buyAddOnAnew()
        case .discounted: renewDiscounted(by: 500)
        case .discountedWholly: renewDiscounted(by: 1_000)
        case .addOnRemoved: removeAddOn()
        case .addOnRefunded: refundAddOn()
        case .refundWithoutRevoke: refundAndGoOn()
        case .optOutIncrease: raiseUnlessLeft()
        case .optInAccepted: raiseWithConsent()
        case .priceChangeCancelled: cancelPriceChange()
        case .priceDecrease: lowerPrice()
        case .stepUpConsent: consentToStepUp()
        case .timeProration: replace(by: otherProduct, .timeProration)
        case .proratedPrice: replace(by: .premiumMonthly, .proratedPrice)
        case .withoutProration: replace(by: otherProduct, .withoutProration)
        case .creditedTime: replace(by: otherProduct, .fullPrice)
        case .planLengthened: replace(by: .plusYearly, .withoutProration)
        case .planLengthenedAtOnce: replace(by: .plusYearly, .fullPrice)
        case .planShortened: replace(by: .plusMonthly, .timeProration, isLate: true)
        case .prepaidToRenewing: change(toPrepaid: false)
        case .renewingToPrepaid: change(toPrepaid: true)
        default: renew()
        }
    }

    private var otherProduct: Product { product == .premiumMonthly ? .monthly : .premiumMonthly }

    /// Whether a step can happen in the present period.
    private func fits(_ step: PlayStep) -> Bool {
        guard let paid, !setting.isReadByV1 || step.isKnownToV1 else { return false }
        if tokens.last?.isPrepaid == true { return [.topUp, .prepaidLapsed, .prepaidToRenewing].contains(step) }
        if instalments != nil { return [.renewal, .silentGraceRenewed, .instalmentsCancelled].contains(step) }
        let isSingle = !hasAddOn && addOnOrder == nil
        switch step {
        case .upgrade: return isSingle && isPlain && [.weekly, .monthly, .yearly].contains(product)
        case .downgrade, .downgradeDeferred: return isSingle && isPlain && product == .premiumMonthly
        case .crossgrade:
            return isSingle && isPlain && priceShare == 1_000 && setting.market == .japan
                && [.monthly, .yearly].contains(product)
        case .resignup: return isSingle && paid.isPaid
        case .onePartialRefund, .twoPartialRefunds, .refundOfOlder, .refundWithoutRevoke:
            return isSingle && paid.totalMicros > 0 && !product.isYearly
        case .refundOfCurrent, .chargeback: return addOnOrder == nil && paid.totalMicros > 0
        case .proratedRevoke: return isSingle && paid.totalMicros > 0
        case .unacknowledged:
            return isSingle && paid.totalMicros > 0 && number == 0 && serviceEnd - present > 4 * CivilTime.day
        case .holdRecovered, .pause, .deferral, .pauseEndedEarly, .pauseThenHold, .longDeferral,
            .graceThenHoldRecovered:
            return paid.isPaid && !product.isYearly && introductoryLeft == 0
        default: return fitsPlan(step, isSingle)
        }
    }

    private func fitsPlan(_ step: PlayStep, _ isSingle: Bool) -> Bool {
        let isLong = serviceEnd - present > 5 * CivilTime.day
        switch step {
        case .topUp, .prepaidLapsed, .prepaidToRenewing, .instalmentsCancelled: return false
        case .addOnBought, .addOnKept:
            return isSingle && isPlain && isLong && [.monthly, .premiumMonthly].contains(product)
                && setting.market != .southKorea && tokens.last?.hasBoughtAddOn == false
        case .addOnRemoved: return hasAddOn && paid?.lines.count == 2
        case .addOnRefunded: return hasAddOn && isPlain && isLong && paid?.lines.count == 2
        case .discounted, .discountedWholly: return isSingle && isPlain && priceShare == 1_000
        case .optOutIncrease, .optInAccepted, .priceChangeCancelled, .priceDecrease, .optInRefused:
            return isSingle && isPlain && isLong && priceShare == 1_000
        case .stepUpConsent, .stepUpRefused:
            return setting.market == .southKorea && paid?.lines.first?.phase == .introductory && introductoryLeft == 0
        case .timeProration, .withoutProration, .creditedTime:
            return isSingle && isPlain && isLong && [.weekly, .monthly, .premiumMonthly].contains(product)
        case .proratedPrice: return isSingle && isPlain && isLong && product == .monthly && priceShare == 1_000
        case .planLengthened, .planLengthenedAtOnce:
            return isSingle && isPlain && isLong && priceShare == 1_000 && product == .plusMonthly
        case .planShortened: return isSingle && isPlain && isLong && priceShare == 1_000 && product == .plusYearly
        case .renewingToPrepaid: return isSingle && isPlain && isLong && !product.isYearly
        default: return true
        }
    }

    private mutating func end(_ step: PlayStep) {
        let end = serviceEnd
        switch step {
        case .voluntary, .developerCancelled:
            let at = instant(from: 200, to: 900)
            let whom = step == .voluntary ? PlayMoment.Cancellation.user(at: at) : .developer
            cancel(at: at, by: whom)
            expire(at: end, until: end, by: whom)
        case .refundOfCurrent: revoke(isChargeback: false)
        case .chargeback: revoke(isChargeback: true)
        case .proratedRevoke: revokeProrated()
        case .unacknowledged: takeBackUnacknowledged()
        case .optInRefused: refusePrice()
        case .stepUpRefused: refuseStepUp()
        case .instalmentsCancelled: leaveInstalments()
        case .prepaidLapsed: expire(at: end, until: end, by: nil)
        case .silentGraceLost:
            let over = end + 48 * CivilTime.hour
            let declined = decline(at: expiry, until: over)
            expire(at: over, until: end, by: .system, declined: declined)
        default: losePayment(step)
        }
    }

    private mutating func losePayment(_ step: PlayStep) {
        let (end, begin, graceEnd) = (serviceEnd, expiry, serviceEnd + product.playGrace.length)
        let limit = end + (random.chance(perMille: 500) ? 60 : 30) * CivilTime.day
        let over = step == .graceLost ? graceEnd : limit
        let declined = decline(at: begin, until: over)
        if step != .holdLost { fallIntoGrace(until: graceEnd, declined: declined) }
        let until = step == .holdLost ? end : graceEnd
        if step != .graceLost {
            stand(.hold, at: max(begin, until), until: until) { $0.declinedOrderID = declined }
            stand(.canceled, at: over - CivilTime.hour, until: until, renews: false) {
                $0.cancellation = .system
                $0.declinedOrderID = declined
            }
        }
        expire(at: over, until: until, by: .system, declined: declined)
    }
}
