// SPDX-License-Identifier: Apache-2.0

/// The things that can befall a subscription; every life is written as a sequence of them.
package enum AppStoreStep: String, LifeStep, Codable {
    // How it begins.
    case fullPrice, freeTrial, payAsYouGo, payUpFront, offerCodeFirst, zeroPriceCode, codeTrial, commitment
    case familyShared, secondGroup, ownAndFamily, oneTimeSale

    // How it goes on at an expiry.
    case renewal, earlyRenewal, smallGap, offThenOn, priceAgreed, restored
    case promotionalOffer, promotionalFree, promotionalUpFront, offerCodeRenewal, codeAsYouGo
    case retryRecovered, graceRecovered, graceThenRetryRecovered
    case downgradeAtRenewal, crossgradeAtRenewal, downgradeUndone
    case refundOfOlder, proratedRefundOfOlder, refundOfOlderReversed, refundMoved, refundRaised, refundLowered
    case refundReversed, refundDeclined

    // What happens in the middle of a period.
    case upgrade

    // How it ends.
    case voluntary, priceRefused, productGone, unknownEnd, retryLost, retryCancelled, graceLost, refundOfCurrent
    case proratedRefundOfCurrent, familyRevoked

    // How it begins again.
    case repurchase, lateRepurchase, winBack, winBackFree, winBackUpFront

    /// Whether nothing but a repurchase can follow.
    package var isEnd: Bool {
        switch self {
        case .voluntary, .priceRefused, .productGone, .unknownEnd, .retryLost, .retryCancelled, .graceLost,
            .refundOfCurrent, .proratedRefundOfCurrent, .familyRevoked:
            true
        default: false
        }
    }

    /// Whether it can follow nothing but an end.
    var isReturn: Bool {
        [.repurchase, .lateRepurchase, .winBack, .winBackFree, .winBackUpFront].contains(self)
    }
}

package typealias AppStoreScenario = Scenario<AppStoreStep>

/// The lives of App Store customers.
package enum AppStoreScenarios {
    /// What testers with a compressed clock live through.
    static let compressed: [AppStoreScenario] = [
        AppStoreScenario(.freeTrial, .monthly, then: []),
        AppStoreScenario(.fullPrice, .monthly, then: [.renewal, .renewal, .voluntary]),
        AppStoreScenario(.fullPrice, .weekly, then: [.retryRecovered]),
        AppStoreScenario(.fullPrice, .monthly, then: [.graceRecovered, .retryLost]),
        AppStoreScenario(.fullPrice, .yearly, then: []),
        AppStoreScenario(.payAsYouGo, .premiumMonthly, then: [.renewal, .retryLost]),
    ]

    /// Every one of the others; customers take them in turn.
    package static let ordinary: [AppStoreScenario] = [
        AppStoreScenario(opening: .freeTrial, steps: [.renewal]),
        AppStoreScenario(opening: .freeTrial, steps: [.voluntary]),
        AppStoreScenario(opening: .freeTrial, steps: [.retryRecovered], startsEarly: true),
        AppStoreScenario(opening: .freeTrial, product: .weekly, steps: [.retryLost], startsEarly: true),
        AppStoreScenario(opening: .freeTrial, product: .yearly, steps: [.renewal]),
        AppStoreScenario(opening: .codeTrial, product: .weekly, steps: [.renewal, .renewal, .renewal, .earlyRenewal]),
        AppStoreScenario(steps: [.renewal, .renewal], startsEarly: true),
        AppStoreScenario(product: .yearly, steps: [.renewal], startsLastYear: true),
        AppStoreScenario(steps: [.earlyRenewal, .smallGap], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.smallGap, .offThenOn, .renewal]),
        AppStoreScenario(steps: [.offThenOn], startsEarly: true),
        AppStoreScenario(steps: [.renewal, .voluntary], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .priceRefused]),
        AppStoreScenario(opening: .payAsYouGo, product: .weekly, steps: [.renewal, .productGone]),
        AppStoreScenario(opening: .zeroPriceCode, product: .weekly, steps: [.renewal, .unknownEnd]),
        AppStoreScenario(steps: [.retryRecovered], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.retryLost], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .retryCancelled]),
        AppStoreScenario(steps: [.graceRecovered, .renewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.graceThenRetryRecovered], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .graceLost], startsEarly: true),
        AppStoreScenario(steps: [.renewal, .refundOfCurrent], startsEarly: true),
        AppStoreScenario(steps: [.refundOfOlder], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .proratedRefundOfOlder]),
        AppStoreScenario(steps: [.upgrade], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .upgrade, .downgradeAtRenewal], startsEarly: true),
        AppStoreScenario(product: .premiumMonthly, steps: [.downgradeUndone, .downgradeAtRenewal]),
        AppStoreScenario(steps: [.crossgradeAtRenewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .voluntary, .repurchase], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.refundOfCurrent, .repurchase], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.voluntary, .winBack], startsEarly: true),
        AppStoreScenario(opening: .payAsYouGo, steps: [.renewal]),
        AppStoreScenario(product: .weekly, steps: [.renewal, .promotionalOffer]),
        AppStoreScenario(opening: .offerCodeFirst, steps: [.offerCodeRenewal], startsEarly: true),
        AppStoreScenario(opening: .zeroPriceCode, steps: [.renewal]),
        AppStoreScenario(opening: .familyShared, steps: [.renewal], startsEarly: true),
        AppStoreScenario(steps: [.renewal], hasSecondGroup: true),
        AppStoreScenario(opening: .payUpFront, product: .weekly, steps: [.renewal, .renewal]),
        AppStoreScenario(opening: .freeTrial, product: .weekly, steps: [.graceLost], startsEarly: true),
        AppStoreScenario(product: .premiumMonthly),
        AppStoreScenario(steps: [.refundReversed, .renewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .refundReversed]),
        AppStoreScenario(steps: [.refundOfOlderReversed], startsEarly: true),
        AppStoreScenario(steps: [.refundMoved], startsEarly: true),
        AppStoreScenario(product: .premiumMonthly, steps: [.refundRaised], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.renewal, .refundLowered], startsEarly: true),
        AppStoreScenario(steps: [.renewal, .proratedRefundOfCurrent]),
        AppStoreScenario(product: .weekly, steps: [.renewal, .refundDeclined]),
        AppStoreScenario(opening: .familyShared, steps: [.renewal, .familyRevoked], startsEarly: true),
        AppStoreScenario(
            opening: .familyShared, product: .weekly, steps: [.familyRevoked, .repurchase], startsEarly: true),
        AppStoreScenario(opening: .familyShared, steps: [.renewal], startsEarly: true, hasOwnToo: true),
        AppStoreScenario(steps: [.restored, .renewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.restored, .restored]),
        AppStoreScenario(steps: [.priceAgreed, .renewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.priceAgreed, .priceRefused]),
        AppStoreScenario(opening: .commitment, product: .yearly, startsLastYear: true),
        AppStoreScenario(opening: .commitment, product: .yearly, startsLastYear: true, endsWithCommitment: true),
        AppStoreScenario(opening: .commitment, product: .yearly, startsEarly: true),
        AppStoreScenario(steps: [.renewal], sales: [.nonConsumable], saleRefund: .full),
        AppStoreScenario(
            product: .weekly, steps: [.renewal], sales: [.consumable, .consumable], saleRefund: .prorated),
        AppStoreScenario(
            steps: [.renewal], startsEarly: true, sales: [.nonRenewing, .consumable], saleRefund: .reversed),
        AppStoreScenario(opening: .payUpFront, steps: [.renewal]),
        AppStoreScenario(opening: .codeTrial, steps: [.renewal]),
        AppStoreScenario(product: .weekly, steps: [.promotionalFree, .renewal], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.promotionalUpFront, .codeAsYouGo], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.voluntary, .winBackFree], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.voluntary, .winBackUpFront], startsEarly: true),
        AppStoreScenario(product: .weekly, steps: [.voluntary, .lateRepurchase], startsEarly: true),
        AppStoreScenario(product: .premiumMonthly, steps: [.downgradeUndone, .renewal]),
    ]
}
