// SPDX-License-Identifier: Apache-2.0

extension PlaySubscriptionV2.LineItem {
    init(
        _ item: PlayMoment.Item, _ token: PlayToken, _ market: PlayMarket, _ app: SimulatedApp, at now: Int64
    ) {
        productId = item.product.identifier(in: app.bundleID)
        expiryTime = PlayJSON.time(item.expiresAt)
        latestSuccessfulOrderId = item.latestOrderID
        if token.isPrepaid {
            prepaidPlan = Prepaid(allowExtendAfterTime: PlayJSON.time(token.startedAt))
        } else {
            autoRenewingPlan = Plan(item, market)
        }
        offerDetails = Offer(basePlanId: item.product.basePlanID, offerId: item.phase.offerID)
        offerPhase = Phase(
            basePrice: item.phase == .base ? PlayJSON.Empty() : nil,
            freeTrial: item.phase == .freeTrial ? PlayJSON.Empty() : nil,
            introductoryPrice: item.phase == .introductory ? PlayJSON.Empty() : nil,
            prorationPeriod: item.phase == .proration ? Proration() : nil)
        deferredItemRemoval = item.isToBeRemoved ? PlayJSON.Empty() : nil
        if let replaced = token.replacement, replaced.isTold(of: item.product),
            now - token.startedAt < 60 * CivilTime.day
        {
            itemReplacement = Replaced(
                productId: replaced.product.identifier(in: app.bundleID), basePlanId: replaced.product.basePlanID,
                replacementMode: replaced.mode.rawValue)
        }
        deferredItemReplacement = item.deferredProduct.map {
            Replacement(productId: $0.identifier(in: app.bundleID))
        }
        signupPromotion = token.promotionCode.map { Promotion(vanityCode: .init(promotionCode: $0)) }
        if token.hasOneTimeCode { signupPromotion = Promotion(oneTimeCode: PlayJSON.Empty()) }
    }
}

extension PlaySubscriptionV2.LineItem.Plan {
    init(_ item: PlayMoment.Item, _ market: PlayMarket) {
        let money = { PlayJSON.Money(micros: $0, currency: market.currency) }
        autoRenewEnabled = PlayJSON.flag(item.renews)
        recurringPrice = money(item.recurringMicros ?? market.listPrice(of: item.product))
        priceChangeDetails = item.priceChange.map {
            PriceChange(
                newPrice: money($0.newMicros), priceChangeMode: $0.mode.rawValue, priceChangeState: $0.state.rawValue,
                expectedNewPriceChargeTime: $0.expectedAt.map(PlayJSON.time))
        }
        priceStepUpConsentDetails = item.stepUp.map {
            StepUp(
                consentDeadlineTime: PlayJSON.time($0.deadline), newPrice: money($0.newMicros), state: $0.state.rawValue
            )
        }
        installmentDetails = item.instalments.map {
            Instalments(
                initialCommittedPaymentsCount: $0.initial,
                remainingCommittedPaymentsCount: $0.remaining == 0 ? nil : $0.remaining,
                subsequentCommittedPaymentsCount: $0.subsequent,
                pendingCancellation: $0.isCancellationPending ? PlayJSON.Empty() : nil)
        }
    }
}

extension PlayOrder.Phase {
    /// The store's name of the offer.
    var offerID: String? {
        switch self {
        case .base, .proration: nil
        case .freeTrial: "trial"
        case .introductory: "intro-half"
        }
    }
}
