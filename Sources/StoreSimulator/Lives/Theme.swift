// SPDX-License-Identifier: Apache-2.0

/// The beginning of a life that makes sure that every kind of life occurs; chance takes over afterwards.
struct Theme: Sendable {
    var opening: Chapter = .fullPrice
    var product: Product = .monthly
    var chapters: [Chapter] = []
    /// Whether it must start near the first night to play out in time.
    var startsEarly = false
    /// Whether it starts most of a year before the first night.
    var startsLastYear = false
    var hasSecondGroup = false

    /// Every theme; customers take them in turn.
    static let all: [Theme] = [
        Theme(opening: .freeTrial, chapters: [.renewal]),
        Theme(opening: .freeTrial, chapters: [.voluntary]),
        Theme(opening: .freeTrial, chapters: [.retryRecovered], startsEarly: true),
        Theme(opening: .freeTrial, product: .weekly, chapters: [.retryLost], startsEarly: true),
        Theme(opening: .freeTrial, product: .yearly, chapters: [.renewal]),
        Theme(product: .weekly, chapters: [.renewal, .renewal, .renewal, .earlyRenewal]),
        Theme(chapters: [.renewal, .renewal], startsEarly: true),
        Theme(product: .yearly, chapters: [.renewal], startsLastYear: true),
        Theme(chapters: [.earlyRenewal, .smallGap], startsEarly: true),
        Theme(product: .weekly, chapters: [.smallGap, .offThenOn, .renewal]),
        Theme(chapters: [.offThenOn], startsEarly: true),
        Theme(chapters: [.renewal, .voluntary], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .priceRefused]),
        Theme(product: .weekly, chapters: [.renewal, .productGone]),
        Theme(product: .weekly, chapters: [.renewal, .unknownEnd]),
        Theme(chapters: [.retryRecovered], startsEarly: true),
        Theme(product: .weekly, chapters: [.retryLost], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .retryCancelled]),
        Theme(chapters: [.graceRecovered, .renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.graceThenRetryRecovered], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .graceLost], startsEarly: true),
        Theme(chapters: [.renewal, .refundOfCurrent], startsEarly: true),
        Theme(chapters: [.refundOfOlder], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .proratedRefundOfOlder]),
        Theme(chapters: [.upgrade], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .upgrade, .downgradeAtRenewal], startsEarly: true),
        Theme(product: .premiumMonthly, chapters: [.downgradeAtRenewal], startsEarly: true),
        Theme(chapters: [.crossgradeAtRenewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .voluntary, .repurchase], startsEarly: true),
        Theme(product: .weekly, chapters: [.refundOfCurrent, .repurchase], startsEarly: true),
        Theme(product: .weekly, chapters: [.voluntary, .winBack], startsEarly: true),
        Theme(opening: .payAsYouGo, chapters: [.renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .promotionalOffer]),
        Theme(opening: .offerCodeFirst, chapters: [.offerCodeRenewal], startsEarly: true),
        Theme(opening: .zeroPriceCode, chapters: [.renewal], startsEarly: true),
        Theme(opening: .familyShared, chapters: [.renewal], startsEarly: true),
        Theme(chapters: [.renewal], hasSecondGroup: true),
        Theme(product: .weekly, chapters: [.renewal, .renewal]),
        Theme(opening: .freeTrial, product: .weekly, chapters: [.graceLost], startsEarly: true),
        Theme(product: .premiumMonthly),
    ]
}
