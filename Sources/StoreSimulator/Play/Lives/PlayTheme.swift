// SPDX-License-Identifier: Apache-2.0

/// The beginning of a life that makes sure that every kind of life occurs; chance takes over afterwards.
struct PlayTheme: Sendable {
    var opening: PlayChapter = .fullPrice
    var product: PlayProduct = .monthly
    var chapters: [PlayChapter] = []
    /// Whether it must start near the first night to play out in time.
    var startsEarly = false
    /// Whether it starts most of a year before the first night.
    var startsLastYear = false
    /// Whether it starts on the 31st of a month.
    var startsOnTheLastDay = false
    /// Where it must be lived; nil is anywhere but in Korea.
    var market: PlayMarket?

    var isToldByV1: Bool { opening.isToldByV1 && chapters.allSatisfy(\.isToldByV1) }

    /// Whether nothing of it is among these.
    func isFree(of unwanted: Set<PlayChapter>) -> Bool { unwanted.isDisjoint(with: chapters + [opening]) }

    /// Every theme; customers take them in turn.
    static let all: [PlayTheme] = [
        PlayTheme(opening: .freeTrial, chapters: [.renewal]),
        PlayTheme(opening: .freeTrial, chapters: [.voluntary]),
        PlayTheme(opening: .freeTrial, product: .weekly, chapters: [.holdLost], startsEarly: true),
        PlayTheme(opening: .freeTrial, chapters: [.graceRecovered], startsEarly: true),
        PlayTheme(opening: .introductoryPrice, chapters: [.renewal], startsEarly: true),
        PlayTheme(opening: .offerCode, chapters: [.renewal], startsEarly: true),
        PlayTheme(opening: .addOn, chapters: [.renewal, .voluntary], startsEarly: true),
        PlayTheme(opening: .addOn, chapters: [.renewal, .addOnRefunded, .renewal], startsEarly: true),
        PlayTheme(opening: .prepaid, product: .prepaidMonthly, chapters: [.topUp, .topUp], startsEarly: true),
        PlayTheme(opening: .prepaid, product: .prepaidMonthly, chapters: [.prepaidLapsed], startsEarly: true),
        PlayTheme(opening: .testPurchase),
        PlayTheme(product: .weekly, chapters: [.renewal, .silentGraceRenewed, .renewal, .numberSkipped]),
        PlayTheme(chapters: [.graceRecovered, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.holdRecovered, .declinedOrder], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .declinedOrder, .cancelledAndRestored]),
        PlayTheme(chapters: [.cancelledAndRestored, .pause], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.pause, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .deferral, .renewal]),
        PlayTheme(product: .premiumMonthly, chapters: [.downgradeDeferred], startsEarly: true),
        PlayTheme(product: .premiumMonthly, chapters: [.downgrade, .renewal], startsEarly: true),
        PlayTheme(chapters: [.upgrade, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .upgrade, .downgrade], startsEarly: true),
        PlayTheme(chapters: [.crossgrade], startsEarly: true, market: .japan),
        PlayTheme(chapters: [.resignup, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.resignup, .voluntary, .resubscribe], startsEarly: true),
        PlayTheme(chapters: [.onePartialRefund, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.twoPartialRefunds, .renewal]),
        PlayTheme(chapters: [.refundOfOlder], startsEarly: true),
        PlayTheme(chapters: [.renewal, .refundOfCurrent], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .chargeback], startsEarly: true),
        PlayTheme(
            product: .weekly,
            chapters: [.renewal, .voluntary, .resubscribe, .renewal, .voluntary, .resubscribeOutside],
            startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .developerCancelled]),
        PlayTheme(product: .weekly, chapters: [.renewal, .silentGraceLost]),
        PlayTheme(product: .weekly, chapters: [.renewal, .graceLost], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.graceThenHoldLost], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .holdLost], startsEarly: true),
        PlayTheme(product: .yearly, chapters: [.renewal], startsLastYear: true),
        PlayTheme(product: .weekly, chapters: [.renewal, .renewal]),
        PlayTheme(product: .premiumMonthly, chapters: [.renewal]),
        PlayTheme(opening: .freeTrial, product: .yearly, chapters: [.renewal]),
        PlayTheme(opening: .pendingThenPaid, chapters: [.renewal]),
        PlayTheme(opening: .pendingThenCancelled),
        PlayTheme(
            opening: .instalments, product: .instalmentMonthly, chapters: [.renewal, .instalmentsCancelled],
            startsEarly: true, market: .brazil),
        PlayTheme(
            opening: .instalments, product: .instalmentMonthly, chapters: [.renewal, .renewal, .renewal],
            startsEarly: true, market: .brazil),
        PlayTheme(opening: .phasedOffer, product: .weekly, chapters: [.renewal, .renewal, .renewal, .optOutIncrease]),
        PlayTheme(opening: .oneTimeCode, chapters: [.renewal], startsEarly: true),
        PlayTheme(opening: .testPurchaseAtNight),
        PlayTheme(opening: .forgotten, product: .weekly),
        PlayTheme(chapters: [.renewal, .renewal, .renewal], startsOnTheLastDay: true),
        PlayTheme(chapters: [.addOnBought, .addOnRemoved, .renewal], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.graceThenHoldRecovered, .optInAccepted], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.pauseEndedEarly, .priceChangeCancelled], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.pauseThenHold, .priceDecrease], startsEarly: true),
        PlayTheme(product: .weekly, chapters: [.longDeferral, .optInRefused], startsEarly: true),
        PlayTheme(
            opening: .introductoryPrice, product: .weekly, chapters: [.stepUpConsent, .renewal], startsEarly: true,
            market: .southKorea),
        PlayTheme(product: .weekly, chapters: [.refundWithoutRevoke, .proratedRevoke]),
        PlayTheme(chapters: [.unacknowledged]),
        PlayTheme(chapters: [.timeProration, .renewal], startsEarly: true),
        PlayTheme(chapters: [.proratedPrice, .renewal, .withoutProration], startsEarly: true),
        PlayTheme(chapters: [.withoutProration, .renewal], startsEarly: true),
        PlayTheme(product: .premiumMonthly, chapters: [.creditedTime, .renewal], startsEarly: true),
        PlayTheme(
            opening: .prepaid, product: .prepaidMonthly, chapters: [.topUp, .prepaidToRenewing, .renewal],
            startsEarly: true),
        PlayTheme(chapters: [.renewingToPrepaid, .topUp], startsEarly: true),
        PlayTheme(product: .plusMonthly, chapters: [.planLengthened, .renewal], startsEarly: true),
        PlayTheme(
            product: .plusYearly, chapters: [.planShortened, .renewal, .planLengthenedAtOnce], startsLastYear: true),
        PlayTheme(
            opening: .introductoryPrice, product: .weekly,
            chapters: [.stepUpRefused, .resubscribe, .discounted, .renewal, .discountedWholly], startsEarly: true,
            market: .southKorea),
        // What stands here occurs by chance, too: these have one customer less in two hundred.
        PlayTheme(
            chapters: [.addOnKept, .addOnRefunded, .discountedWholly, .renewal], startsEarly: true),
    ]
}
