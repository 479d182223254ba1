// SPDX-License-Identifier: Apache-2.0

/// The things that can befall a subscription; every life is written as a sequence of them.
package enum Chapter: String, Hashable, Sendable, Codable, CaseIterable {
    // How it begins.
    case fullPrice, freeTrial, payAsYouGo, offerCodeFirst, zeroPriceCode, familyShared, secondGroup

    // How it goes on at an expiry.
    case renewal, earlyRenewal, smallGap, offThenOn, promotionalOffer, offerCodeRenewal
    case retryRecovered, graceRecovered, graceThenRetryRecovered
    case downgradeAtRenewal, crossgradeAtRenewal, refundOfOlder, proratedRefundOfOlder

    // What happens in the middle of a period.
    case upgrade

    // How it ends.
    case voluntary, priceRefused, productGone, unknownEnd, retryLost, retryCancelled, graceLost, refundOfCurrent

    // How it begins again.
    case repurchase, winBack

    /// Whether nothing but a repurchase can follow.
    var isEnd: Bool {
        switch self {
        case .voluntary, .priceRefused, .productGone, .unknownEnd, .retryLost, .retryCancelled, .graceLost,
            .refundOfCurrent:
            true
        default: false
        }
    }
}
