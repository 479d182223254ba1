// SPDX-License-Identifier: Apache-2.0

/// The beginning of a life that makes sure that every kind of life occurs; chance takes over afterwards.
package struct Theme: Sendable {
    package var opening: Chapter = .fullPrice
    package var product: Product = .monthly
    package var chapters: [Chapter] = []
    /// Whether it must start near the first night to play out in time.
    var startsEarly = false
    /// Whether it starts most of a year before the first night.
    var startsLastYear = false
    var hasSecondGroup = false
    /// Whether the customer buys the same for themselves, besides what the family shares.
    var hasOwnToo = false
    /// What is bought once, right after the first purchase.
    var sales: [OneTimeSale.Kind] = []
    /// What becomes of the first of those.
    var saleRefund: SaleRefund?
    /// Whether the commitment ends with its first year.
    var endsWithCommitment = false

    /// What becomes of the money of something sold once.
    package enum SaleRefund: Hashable, Sendable { case full, prorated, reversed }

    /// A life that begins so and goes on with these chapters, near the first night.
    package init(_ opening: Chapter = .fullPrice, _ product: Product = .monthly, _ chapters: [Chapter]) {
        self.init(opening: opening, product: product, chapters: chapters, startsEarly: true)
    }

    init(
        opening: Chapter = .fullPrice, product: Product = .monthly, chapters: [Chapter] = [], startsEarly: Bool = false,
        startsLastYear: Bool = false, hasSecondGroup: Bool = false, hasOwnToo: Bool = false,
        sales: [OneTimeSale.Kind] = [], saleRefund: SaleRefund? = nil, endsWithCommitment: Bool = false
    ) {
        self.opening = opening
        self.product = product
        self.chapters = chapters
        self.startsEarly = startsEarly
        self.startsLastYear = startsLastYear
        self.hasSecondGroup = hasSecondGroup
        self.hasOwnToo = hasOwnToo
        self.sales = sales
        self.saleRefund = saleRefund
        self.endsWithCommitment = endsWithCommitment
    }

    /// What testers with a compressed clock live through.
    static let compressed: [Theme] = [
        Theme(.freeTrial, .monthly, []), Theme(.fullPrice, .monthly, [.renewal, .renewal, .voluntary]),
        Theme(.fullPrice, .weekly, [.retryRecovered]), Theme(.fullPrice, .monthly, [.graceRecovered, .retryLost]),
        Theme(.fullPrice, .yearly, []), Theme(.payAsYouGo, .premiumMonthly, [.renewal, .retryLost]),
    ]

    /// Every theme; customers take them in turn.
    package static let all: [Theme] = [
        Theme(opening: .freeTrial, chapters: [.renewal]),
        Theme(opening: .freeTrial, chapters: [.voluntary]),
        Theme(opening: .freeTrial, chapters: [.retryRecovered], startsEarly: true),
        Theme(opening: .freeTrial, product: .weekly, chapters: [.retryLost], startsEarly: true),
        Theme(opening: .freeTrial, product: .yearly, chapters: [.renewal]),
        Theme(opening: .codeTrial, product: .weekly, chapters: [.renewal, .renewal, .renewal, .earlyRenewal]),
        Theme(chapters: [.renewal, .renewal], startsEarly: true),
        Theme(product: .yearly, chapters: [.renewal], startsLastYear: true),
        Theme(chapters: [.earlyRenewal, .smallGap], startsEarly: true),
        Theme(product: .weekly, chapters: [.smallGap, .offThenOn, .renewal]),
        Theme(chapters: [.offThenOn], startsEarly: true),
        Theme(chapters: [.renewal, .voluntary], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .priceRefused]),
        Theme(opening: .payAsYouGo, product: .weekly, chapters: [.renewal, .productGone]),
        Theme(opening: .zeroPriceCode, product: .weekly, chapters: [.renewal, .unknownEnd]),
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
        Theme(product: .premiumMonthly, chapters: [.downgradeUndone, .downgradeAtRenewal]),
        Theme(chapters: [.crossgradeAtRenewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .voluntary, .repurchase], startsEarly: true),
        Theme(product: .weekly, chapters: [.refundOfCurrent, .repurchase], startsEarly: true),
        Theme(product: .weekly, chapters: [.voluntary, .winBack], startsEarly: true),
        Theme(opening: .payAsYouGo, chapters: [.renewal]),
        Theme(product: .weekly, chapters: [.renewal, .promotionalOffer]),
        Theme(opening: .offerCodeFirst, chapters: [.offerCodeRenewal], startsEarly: true),
        Theme(opening: .zeroPriceCode, chapters: [.renewal]),
        Theme(opening: .familyShared, chapters: [.renewal], startsEarly: true),
        Theme(chapters: [.renewal], hasSecondGroup: true),
        Theme(opening: .payUpFront, product: .weekly, chapters: [.renewal, .renewal]),
        Theme(opening: .freeTrial, product: .weekly, chapters: [.graceLost], startsEarly: true),
        Theme(product: .premiumMonthly),
        Theme(chapters: [.refundReversed, .renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .refundReversed]),
        Theme(chapters: [.refundOfOlderReversed], startsEarly: true),
        Theme(chapters: [.refundMoved], startsEarly: true),
        Theme(product: .premiumMonthly, chapters: [.refundRaised], startsEarly: true),
        Theme(product: .weekly, chapters: [.renewal, .refundLowered], startsEarly: true),
        Theme(chapters: [.renewal, .proratedRefundOfCurrent]),
        Theme(product: .weekly, chapters: [.renewal, .refundDeclined]),
        Theme(opening: .familyShared, chapters: [.renewal, .familyRevoked], startsEarly: true),
        Theme(opening: .familyShared, product: .weekly, chapters: [.familyRevoked, .repurchase], startsEarly: true),
        Theme(opening: .familyShared, chapters: [.renewal], startsEarly: true, hasOwnToo: true),
        Theme(chapters: [.restored, .renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.restored, .restored]),
        Theme(chapters: [.priceAgreed, .renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.priceAgreed, .priceRefused]),
        Theme(opening: .commitment, product: .yearly, startsLastYear: true),
        Theme(opening: .commitment, product: .yearly, startsLastYear: true, endsWithCommitment: true),
        Theme(opening: .commitment, product: .yearly, startsEarly: true),
        Theme(chapters: [.renewal], sales: [.nonConsumable], saleRefund: .full),
        Theme(product: .weekly, chapters: [.renewal], sales: [.consumable, .consumable], saleRefund: .prorated),
        Theme(chapters: [.renewal], startsEarly: true, sales: [.nonRenewing, .consumable], saleRefund: .reversed),
        Theme(opening: .payUpFront, chapters: [.renewal]),
        Theme(opening: .codeTrial, chapters: [.renewal]),
        Theme(product: .weekly, chapters: [.promotionalFree, .renewal], startsEarly: true),
        Theme(product: .weekly, chapters: [.promotionalUpFront, .codeAsYouGo], startsEarly: true),
        Theme(product: .weekly, chapters: [.voluntary, .winBackFree], startsEarly: true),
        Theme(product: .weekly, chapters: [.voluntary, .winBackUpFront], startsEarly: true),
        Theme(product: .weekly, chapters: [.voluntary, .lateRepurchase], startsEarly: true),
        Theme(product: .premiumMonthly, chapters: [.downgradeUndone, .renewal]),
    ]
}
