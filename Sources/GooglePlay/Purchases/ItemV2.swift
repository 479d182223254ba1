// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One product of a purchase.
struct ItemV2: JSONReadable {
    private static let names: Set<String> = [
        "productId", "expiryTime", "latestSuccessfulOrderId", "autoRenewingPlan", "prepaidPlan", "offerDetails",
        "offerPhase", "deferredItemReplacement", "deferredItemRemoval", "itemReplacement", "signupPromotion",
    ]

    let productID: String?
    let expiresAt: Instant?
    /// Nil while the item is not owned yet; that of an older purchase where it was kept from it.
    let latestOrderID: String?
    let isPrepaid: Bool
    /// It is not set to cancel: a member that is left out is false; so are an instalment plan that is cancelled and
    /// owes no more payments, and an item that is to be removed.
    ///
    /// Nil where the item renews by no plan.
    let autoRenews: Bool?
    /// Nil for all but what is paid in instalments.
    let installments: InstallmentPlan?
    /// What a whole period of the plan costs: without discounts, and without the tax where prices are shown so.
    let recurringPrice: PlayMoney?
    /// The running period was sold on an offer, or as the rest of another one after a change of plan.
    let isBelowItsPrice: Bool
    let replacementProductID: String?
    /// Signed up for with a code.
    let hasCode: Bool
    /// When the customer had to have agreed to a higher price, and has not; nil where nothing is open.
    ///
    /// The distant past where the store does not say when.
    let unagreedPriceAt: Instant?
    let unknownFields: [String]

    init(_ fields: Fields) {
        productID = fields.text("productId")
        expiresAt = fields.time("expiryTime")
        latestOrderID = fields.text("latestSuccessfulOrderId")
        isPrepaid = fields.has("prepaidPlan")
        let plan = fields.object("autoRenewingPlan")
        let installments: InstallmentPlan? = plan?.value("installmentDetails")
        self.installments = installments
        autoRenews =
            isPrepaid ? false : plan.map { Self.renews($0, installments) && !fields.has("deferredItemRemoval") }
        recurringPrice = plan?.money("recurringPrice")
        isBelowItsPrice = fields.object("offerPhase").map { phase in Self.phases.contains(where: phase.has) } ?? false
        replacementProductID = fields.object("deferredItemReplacement")?.text("productId")
        let promotion = fields.object("signupPromotion")
        hasCode = promotion?.has("oneTimeCode") == true || promotion?.has("vanityCode") == true
        unagreedPriceAt = plan.flatMap(Self.unagreedPrice)
        unknownFields = fields.names(outside: Self.names)
    }

    /// A price that was to hold at its end, or before, was not agreed to: the store lets it end for that.
    var endedForItsPrice: Bool {
        guard let unagreedPriceAt, let expiresAt else { return unagreedPriceAt != nil }
        return unagreedPriceAt <= expiresAt + Rules.priceConsent
    }

    /// While payments are committed to, the next one is made, whatever the customer wants after the last.
    private static func renews(_ plan: Fields, _ installments: InstallmentPlan?) -> Bool {
        guard let installments, installments.isCancelled else { return plan.flag("autoRenewEnabled") ?? false }
        return installments.remaining > 0
    }

    private static let phases = ["freeTrial", "introductoryPrice", "prorationPeriod"]

    /// An increase that must be agreed to, or Korea's consent to the end of a low first price.
    private static func unagreedPrice(_ plan: Fields) -> Instant? {
        if let consent = plan.object("priceStepUpConsentDetails"), consent.text("state") == "PENDING" {
            return consent.time("consentDeadlineTime") ?? .distantPast
        }
        guard let change = plan.object("priceChangeDetails"), change.text("priceChangeState") == "OUTSTANDING",
            change.text("priceChangeMode") ?? "PRICE_INCREASE" == "PRICE_INCREASE"
        else { return nil }
        return change.time("expectedNewPriceChargeTime") ?? .distantPast
    }
}
