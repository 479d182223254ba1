// SPDX-License-Identifier: Apache-2.0

typealias PlayScenario = Scenario<PlayStep>

/// The lives of Google Play's customers.
enum PlayScenarios {
    /// Every scenario; customers take them in turn.
    static let all: [PlayScenario] = [
        PlayScenario(opening: .freeTrial, steps: [.renewal]),
        PlayScenario(opening: .freeTrial, steps: [.voluntary]),
        PlayScenario(opening: .freeTrial, product: .weekly, steps: [.holdLost], startsEarly: true),
        PlayScenario(opening: .freeTrial, steps: [.graceRecovered], startsEarly: true),
        PlayScenario(opening: .introductoryPrice, steps: [.renewal], startsEarly: true),
        PlayScenario(opening: .offerCode, steps: [.renewal], startsEarly: true),
        PlayScenario(opening: .addOn, steps: [.renewal, .voluntary], startsEarly: true),
        PlayScenario(opening: .addOn, steps: [.renewal, .addOnRefunded, .renewal], startsEarly: true),
        PlayScenario(opening: .prepaid, product: .prepaidMonthly, steps: [.topUp, .topUp], startsEarly: true),
        PlayScenario(opening: .prepaid, product: .prepaidMonthly, steps: [.prepaidLapsed], startsEarly: true),
        PlayScenario(opening: .testPurchase),
        PlayScenario(product: .weekly, steps: [.renewal, .silentGraceRenewed, .renewal, .numberSkipped]),
        PlayScenario(steps: [.graceRecovered, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.holdRecovered, .declinedOrder], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .declinedOrder, .cancelledAndRestored]),
        PlayScenario(steps: [.cancelledAndRestored, .pause], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.pause, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .deferral, .renewal]),
        PlayScenario(product: .premiumMonthly, steps: [.downgradeDeferred], startsEarly: true),
        PlayScenario(product: .premiumMonthly, steps: [.downgrade, .renewal], startsEarly: true),
        PlayScenario(steps: [.upgrade, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .upgrade, .downgrade], startsEarly: true),
        PlayScenario(steps: [.crossgrade], startsEarly: true, market: .japan),
        PlayScenario(steps: [.resignup, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.resignup, .voluntary, .resubscribe], startsEarly: true),
        PlayScenario(steps: [.onePartialRefund, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.twoPartialRefunds, .renewal]),
        PlayScenario(steps: [.refundOfOlder], startsEarly: true),
        PlayScenario(steps: [.renewal, .refundOfCurrent], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .chargeback], startsEarly: true),
        PlayScenario(
            product: .weekly,
            steps: [.renewal, .voluntary, .resubscribe, .renewal, .voluntary, .resubscribeOutside],
            startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .developerCancelled]),
        PlayScenario(product: .weekly, steps: [.renewal, .silentGraceLost]),
        PlayScenario(product: .weekly, steps: [.renewal, .graceLost], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.graceThenHoldLost], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.renewal, .holdLost], startsEarly: true),
        PlayScenario(product: .yearly, steps: [.renewal], startsLastYear: true),
        PlayScenario(product: .weekly, steps: [.renewal, .orderSettledLate, .renewal, .orderLeftOut]),
        PlayScenario(product: .premiumMonthly, steps: [.renewal]),
        PlayScenario(opening: .freeTrial, product: .yearly, steps: [.renewal]),
        PlayScenario(opening: .pendingThenPaid, steps: [.renewal]),
        PlayScenario(opening: .pendingThenCancelled),
        PlayScenario(
            opening: .instalments, product: .instalmentMonthly, steps: [.renewal, .instalmentsCancelled],
            startsEarly: true, market: .brazil),
        PlayScenario(
            opening: .instalments, product: .instalmentMonthly, steps: [.renewal, .renewal, .renewal],
            startsEarly: true, market: .brazil),
        PlayScenario(opening: .phasedOffer, product: .weekly, steps: [.renewal, .renewal, .renewal, .optOutIncrease]),
        PlayScenario(opening: .oneTimeCode, steps: [.renewal], startsEarly: true),
        PlayScenario(opening: .testPurchaseAtNight),
        PlayScenario(opening: .forgotten, product: .weekly),
        PlayScenario(steps: [.renewal, .renewal, .renewal], startsOnTheLastDay: true),
        PlayScenario(steps: [.addOnBought, .addOnRemoved, .renewal], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.graceThenHoldRecovered, .optInAccepted], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.pauseEndedEarly, .priceChangeCancelled], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.pauseThenHold, .priceDecrease], startsEarly: true),
        PlayScenario(product: .weekly, steps: [.longDeferral, .optInRefused], startsEarly: true),
        PlayScenario(
            opening: .introductoryPrice, product: .weekly, steps: [.stepUpConsent, .renewal], startsEarly: true,
            market: .southKorea),
        PlayScenario(product: .weekly, steps: [.refundWithoutRevoke, .proratedRevoke]),
        PlayScenario(steps: [.unacknowledged]),
        PlayScenario(steps: [.timeProration, .renewal], startsEarly: true),
        PlayScenario(steps: [.proratedPrice, .renewal, .withoutProration], startsEarly: true),
        PlayScenario(steps: [.withoutProration, .renewal], startsEarly: true),
        PlayScenario(product: .premiumMonthly, steps: [.creditedTime, .renewal], startsEarly: true),
        PlayScenario(
            opening: .prepaid, product: .prepaidMonthly, steps: [.topUp, .prepaidToRenewing, .renewal],
            startsEarly: true),
        PlayScenario(steps: [.renewingToPrepaid, .topUp], startsEarly: true),
        PlayScenario(product: .plusMonthly, steps: [.planLengthened, .renewal], startsEarly: true),
        PlayScenario(
            product: .plusYearly, steps: [.planShortened, .renewal, .planLengthenedAtOnce], startsLastYear: true),
        PlayScenario(
            opening: .introductoryPrice, product: .weekly,
            steps: [.stepUpRefused, .resubscribe, .discounted, .renewal, .discountedWholly], startsEarly: true,
            market: .southKorea),
        // What stands here occurs by chance, too: these have one customer less in two hundred.
        PlayScenario(
            steps: [.addOnKept, .addOnRefunded, .discountedWholly, .renewal], startsEarly: true),
    ]
}
