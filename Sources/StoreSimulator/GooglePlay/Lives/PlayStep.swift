// SPDX-License-Identifier: Apache-2.0

/// The things that can befall a Play customer; every life is written as a sequence of them.
package enum PlayStep: String, LifeStep {
    // How it begins.
    case fullPrice, freeTrial, introductoryPrice, offerCode, oneTimeCode, phasedOffer, addOn, prepaid, instalments
    case pendingThenPaid, pendingThenCancelled, testPurchase, testPurchaseAtNight
    /// Over for more than 60 days when it is handed in: the store has forgotten its token.
    case forgotten

    // How it goes on.
    case renewal, silentGraceRenewed, graceRecovered, holdRecovered, graceThenHoldRecovered, declinedOrder
    /// Its order is settled a day or two after the store calls the purchase renewed.
    case orderSettledLate
    /// Orders leave it out until the renewal after it is paid.
    case orderLeftOut
    case numberSkipped, cancelledAndRestored, pause, pauseEndedEarly, pauseThenHold, deferral, longDeferral
    case downgradeDeferred, topUp, addOnBought, addOnKept, addOnRemoved
    case onePartialRefund, twoPartialRefunds, refundOfOlder, refundWithoutRevoke, addOnRefunded
    /// The store pays half of the price, or all of it.
    case discounted, discountedWholly

    // What becomes of its price.
    case optOutIncrease, optInAccepted, priceChangeCancelled, priceDecrease, stepUpConsent

    // How another purchase takes its place.
    case upgrade, downgrade, crossgrade, resignup
    case timeProration, proratedPrice, withoutProration, creditedTime
    /// Between the base plans of one product: from the month to the year with the next billing, or at once, and back.
    case planLengthened, planLengthenedAtOnce, planShortened
    case prepaidToRenewing, renewingToPrepaid

    // How it ends.
    case voluntary, developerCancelled, silentGraceLost, graceLost, graceThenHoldLost, holdLost
    case refundOfCurrent, chargeback, proratedRevoke, unacknowledged, prepaidLapsed
    case optInRefused, stepUpRefused, instalmentsCancelled

    // How the customer comes back.
    case resubscribe
    /// In the store's own pages.
    case resubscribeOutside

    // What is bought beside it.
    case oneTimeSale

    /// Whether nothing but a new purchase can follow.
    package var isEnd: Bool {
        switch self {
        case .voluntary, .developerCancelled, .silentGraceLost, .graceLost, .graceThenHoldLost, .holdLost,
            .refundOfCurrent, .chargeback, .proratedRevoke, .unacknowledged, .prepaidLapsed, .optInRefused,
            .stepUpRefused, .instalmentsCancelled, .pendingThenCancelled, .forgotten:
            true
        default: false
        }
    }

    /// Whether the old interface can show it: it knows neither several items, nor prepaid plans, nor instalments, nor
    /// what comes next, and its reader sees a token for the first time by way of its product.
    var isKnownToV1: Bool {
        switch self {
        case .planLengthened, .planLengthenedAtOnce, .planShortened, .addOnKept, .addOnRefunded, .stepUpRefused,
            .discounted, .discountedWholly, .oneTimeSale:
            false
        case .addOn, .addOnBought, .addOnRemoved, .prepaid, .topUp, .prepaidLapsed, .prepaidToRenewing,
            .renewingToPrepaid, .downgradeDeferred, .offerCode, .oneTimeCode, .phasedOffer, .instalments,
            .instalmentsCancelled, .pendingThenCancelled, .stepUpConsent, .testPurchaseAtNight:
            false
        default: true
        }
    }
}
