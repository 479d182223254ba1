// SPDX-License-Identifier: Apache-2.0

/// One item of `purchases.subscriptionsv2.get`.
struct PlayLineItem {
    let item: PlayMoment.Item
    let token: PlayToken
    let market: Market
    let app: SimulatedApp
    let now: Int64

    var document: WireObject {
        var row: WireObject = [
            "productId": identifier(of: item.product), "expiryTime": PlayJSON.time(item.expiresAt),
            "latestSuccessfulOrderId": item.latestOrderID, "offerPhase": phase, "itemReplacement": replacement,
            "deferredItemRemoval": PlayJSON.present(item.isToBeRemoved),
        ]
        if token.isPrepaid {
            row["prepaidPlan"] = ["allowExtendAfterTime": PlayJSON.time(token.startedAt)] as WireObject
        } else {
            row["autoRenewingPlan"] = plan
        }
        row["offerDetails"] = ["basePlanId": item.product.basePlanID, "offerId": item.phase.offerID] as WireObject
        row["deferredItemReplacement"] = item.deferredProduct.map { ["productId": identifier(of: $0)] as WireObject }
        if let code = token.promotionCode {
            row["signupPromotion"] = ["vanityCode": ["promotionCode": code] as WireObject] as WireObject
        }
        if token.hasOneTimeCode { row["signupPromotion"] = ["oneTimeCode": [:] as WireObject] as WireObject }
        return row
    }

    private func identifier(of product: Product) -> String { product.identifier(in: app.bundleID) }
    private func money(_ micros: Int64) -> WireObject { PlayJSON.money(micros, market.currency) }

    private var phase: WireObject {
        let proration: WireObject? = item.phase == .proration ? ["originalOfferPhaseType": "BASE"] : nil
        return [
            "basePrice": PlayJSON.present(item.phase == .base),
            "freeTrial": PlayJSON.present(item.phase == .freeTrial),
            "introductoryPrice": PlayJSON.present(item.phase == .introductory), "prorationPeriod": proration,
        ]
    }

    /// What it took the place of, shown for 60 days.
    private var replacement: WireObject? {
        guard let replaced = token.replacement, replaced.isShown(of: item.product),
            now - token.startedAt < 60 * CivilTime.day
        else { return nil }
        return [
            "productId": identifier(of: replaced.product), "basePlanId": replaced.product.basePlanID,
            "replacementMode": replaced.mode.rawValue,
        ]
    }

    private var plan: WireObject {
        [
            "autoRenewEnabled": PlayJSON.flag(item.renews),
            "recurringPrice": money(item.recurringMicros ?? market.playPrice(of: item.product)),
            "priceChangeDetails": item.priceChange.map(priceChange),
            "priceStepUpConsentDetails": item.stepUp.map(consent),
            "installmentDetails": item.instalments.map(installments),
        ]
    }

    private func priceChange(_ change: PlayPriceChange) -> WireObject {
        [
            "newPrice": money(change.newMicros), "priceChangeMode": change.mode.rawValue,
            "priceChangeState": change.state.rawValue,
            "expectedNewPriceChargeTime": change.expectedAt.map(PlayJSON.time),
        ]
    }

    private func consent(_ stepUp: PlayStepUp) -> WireObject {
        [
            "consentDeadlineTime": PlayJSON.time(stepUp.deadline), "newPrice": money(stepUp.newMicros),
            "state": stepUp.state.rawValue,
        ]
    }

    private func installments(_ plan: PlayInstalments) -> WireObject {
        [
            "initialCommittedPaymentsCount": plan.initial,
            "remainingCommittedPaymentsCount": plan.remaining == 0 ? nil : plan.remaining,
            "subsequentCommittedPaymentsCount": plan.subsequent,
            "pendingCancellation": PlayJSON.present(plan.isCancellationPending),
        ]
    }
}

extension PlayOrder.Phase {
    var offerID: String? {
        switch self {
        case .base, .proration: nil
        case .freeTrial: "trial"
        case .introductory: "intro-half"
        }
    }
}
