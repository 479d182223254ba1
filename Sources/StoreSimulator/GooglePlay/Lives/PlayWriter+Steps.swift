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
        (.orderSettledLate, 8), (.orderLeftOut, 8),
    ]

    /// Writes the rest of the life: the scenario's steps first, then whatever chance brings.
    mutating func write(_ planned: [PlayStep]) {
        guard !newest.isTest, paid != nil else { return }
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
        guard !setting.isReadByV1, case .user? = newest.moments.last?.cancellation else { return false }
        guard !setting.without.contains(.resubscribeOutside), instalments == nil else { return false }
        let isOutside = next == .resubscribeOutside || serviceEnd / CivilTime.second % 3 == 0
        if isOutside { mark(.resubscribeOutside) }
        return isOutside
    }

    private mutating func stepByChance() -> PlayStep {
        let ticket = random.value(in: 0...999)
        if newest.isPrepaid { return ticket < 600 ? .topUp : ticket < 850 ? .prepaidLapsed : .prepaidToRenewing }
        if instalments != nil { return ticket < 800 ? .renewal : .instalmentsCancelled }
        return .drawn(by: ticket, of: Self.odds) ?? .renewal
    }

    /// Takes a step and returns the one that was taken: one that does not fit becomes a plain renewal.
    private mutating func take(_ planned: PlayStep) -> PlayStep {
        let plain: PlayStep = newest.isPrepaid ? .topUp : .renewal
        let step = fits(planned) && !setting.without.contains(planned) ? planned : plain
        mark(step)
        if step.isEnd { end(step) } else { goOn(step) }
        return step
    }
}

/// Whether a step can happen in the present period.
extension PlayWriter {
    private func fits(_ step: PlayStep) -> Bool {
        guard let paid, !setting.isReadByV1 || step.isKnownToV1 else { return false }
        if newest.isPrepaid { return [.topUp, .prepaidLapsed, .prepaidToRenewing].contains(step) }
        if instalments != nil { return [.renewal, .silentGraceRenewed, .instalmentsCancelled].contains(step) }
        switch step {
        case .resignup: return isSingle && paid.isPaid
        case .orderSettledLate, .orderLeftOut:
            return isSingle && paid.isPaid && introductoryLeft == 0 && product == .weekly
        case .onePartialRefund, .twoPartialRefunds, .refundOfOlder, .refundWithoutRevoke:
            return isSingle && paid.totalMicros > 0 && !product.isYearly
        case .refundOfCurrent, .chargeback: return addOnOrder == nil && paid.totalMicros > 0
        case .proratedRevoke: return isSingle && paid.totalMicros > 0
        case .unacknowledged:
            return isSingle && paid.totalMicros > 0 && number == 0 && serviceEnd - present > 4 * CivilTime.day
        case .holdRecovered, .pause, .deferral, .pauseEndedEarly, .pauseThenHold, .longDeferral,
            .graceThenHoldRecovered:
            return paid.isPaid && !product.isYearly && introductoryLeft == 0
        case .addOnRemoved: return hasAddOn && paid.lines.count == 2
        case .addOnRefunded: return hasAddOn && isPlain && isLong && paid.lines.count == 2
        case .stepUpConsent, .stepUpRefused:
            return setting.market == .southKorea && paid.lines.first?.phase == .introductory && introductoryLeft == 0
        default: return fitsPlan(step)
        }
    }

    private func fitsPlan(_ step: PlayStep) -> Bool {
        let isOrdinary = isSingle && isPlain && isLong
        let isAtListPrice = priceShare == 1_000
        switch step {
        case .topUp, .prepaidLapsed, .prepaidToRenewing, .instalmentsCancelled: return false
        case .upgrade: return isSingle && isPlain && [.weekly, .monthly, .yearly].contains(product)
        case .downgrade, .downgradeDeferred: return isSingle && isPlain && product == .premiumMonthly
        case .crossgrade:
            return isSingle && isPlain && isAtListPrice && setting.market == .japan
                && [.monthly, .yearly].contains(product)
        case .addOnBought, .addOnKept:
            return isOrdinary && [.monthly, .premiumMonthly].contains(product) && setting.market != .southKorea
                && !newest.hasBoughtAddOn
        case .discounted, .discountedWholly: return isSingle && isPlain && isAtListPrice
        case .optOutIncrease, .optInAccepted, .priceChangeCancelled, .priceDecrease, .optInRefused:
            return isOrdinary && isAtListPrice
        case .timeProration, .withoutProration, .creditedTime:
            return isOrdinary && [.weekly, .monthly, .premiumMonthly].contains(product)
        case .proratedPrice: return isOrdinary && isAtListPrice && product == .monthly
        case .planLengthened, .planLengthenedAtOnce: return isOrdinary && isAtListPrice && product == .plusMonthly
        case .planShortened: return isOrdinary && isAtListPrice && product == .plusYearly
        case .renewingToPrepaid: return isOrdinary && !product.isYearly
        default: return true
        }
    }

    private var isSingle: Bool { !hasAddOn && addOnOrder == nil }
    private var isLong: Bool { serviceEnd - present > 5 * CivilTime.day }
}
