// SPDX-License-Identifier: Apache-2.0

/// The things that can befall a Play customer; every life is written as a sequence of them.
package enum PlayChapter: String, Hashable, Sendable, CaseIterable {
    // How it begins.
    case fullPrice, freeTrial, introductoryPrice, offerCode, addOn, prepaid, testPurchase

    // How it goes on.
    case renewal, silentGraceRenewed, graceRecovered, holdRecovered, declinedOrder, numberSkipped
    case cancelledAndRestored, pause, deferral, downgradeDeferred, topUp
    case onePartialRefund, twoPartialRefunds, refundOfOlder

    // How another purchase takes its place.
    case upgrade, downgrade, crossgrade, resignup

    // How it ends.
    case voluntary, developerCancelled, silentGraceLost, graceLost, graceThenHoldLost, holdLost
    case refundOfCurrent, chargeback, prepaidLapsed

    // How the customer comes back.
    case resubscribe

    /// Whether nothing but a new purchase can follow.
    var isEnd: Bool {
        switch self {
        case .voluntary, .developerCancelled, .silentGraceLost, .graceLost, .graceThenHoldLost, .holdLost,
            .refundOfCurrent, .chargeback, .prepaidLapsed:
            true
        default: false
        }
    }

    /// Whether the old interface can tell it: it knows neither several items, nor prepaid plans, nor what comes next.
    var isToldByV1: Bool {
        switch self {
        case .addOn, .prepaid, .topUp, .prepaidLapsed, .downgradeDeferred, .offerCode: false
        default: true
        }
    }
}
