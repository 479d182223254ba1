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
