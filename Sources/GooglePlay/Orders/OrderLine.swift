// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One product of an order: a period of a subscription, or a one-time sale.
struct OrderLine: JSONReadable {
    /// What kind of price a period was sold at.
    enum Phase: Hashable {
        case base, freeTrial, introductory, proration
    }

    private static let names: Set<String> = [
        "productId", "productTitle", "listingPrice", "total", "tax", "subscriptionDetails", "oneTimePurchaseDetails",
        "paidAppDetails",
    ]
    private static let phases: [(name: String, phase: Phase)] = [
        ("freeTrialDetails", .freeTrial), ("introductoryPriceDetails", .introductory),
        ("prorationPeriodDetails", .proration), ("baseDetails", .base),
    ]

    let productID: String?
    /// With tax.
    let total: PlayMoney?
    let tax: PlayMoney?
    /// The listed price: with the tax in it where the order says so, and without what the store paid of it.
    let listed: PlayMoney?
    /// It was sold as the rest of another period after a change of plan, and not of a free trial: the listed price is that of
    /// a whole period of the plan.
    let isRestOfPlan: Bool
    /// A change of plan within a free trial, which goes on.
    let isRestOfTrial: Bool
    let isSubscription: Bool
    let isOneTime: Bool
    /// Of a one-time sale; 1 where the store does not say.
    let quantity: Int64
    let basePlanID: String?
    let start: Instant?
    let end: Instant?
    let offerID: String?
    /// Nil where the store does not say, or says something unknown.
    let phase: Phase?
    let unknownFields: [String]

    init(_ fields: Fields) {
        let details = fields.object("subscriptionDetails")
        productID = fields.text("productId")
        total = fields.money("total")
        tax = fields.money("tax")
        isSubscription = details != nil
        let sale = fields.object("oneTimePurchaseDetails")
        isOneTime = details == nil && sale != nil
        quantity = max(1, sale?.integer("quantity") ?? 1)
        basePlanID = details?.text("basePlanId")
        start = details?.time("servicePeriodStartTime")
        end = details?.time("servicePeriodEndTime")
        offerID = (details ?? sale)?.text("offerId")
        phase = details.flatMap(Self.phase)
        listed = fields.money("listingPrice")
        let isOfTrial = details.map(Self.isOfTrial) ?? false
        isRestOfPlan = phase == .proration && !isOfTrial
        isRestOfTrial = phase == .proration && isOfTrial
        unknownFields = fields.names(outside: Self.names)
    }

    /// By the member that is there, an empty object most often; older answers have a word instead.
    private static func phase(_ details: Fields) -> Phase? {
        if let named = details.object("offerPhaseDetails") {
            return phases.first { named.has($0.name) }?.phase
        }
        switch details.text("offerPhase") {
        case "FREE_TRIAL": return .freeTrial
        case "INTRODUCTORY": return .introductory
        case "BASE": return .base
        default: return nil
        }
    }

    private static func isOfTrial(_ details: Fields) -> Bool {
        let proration = details.object("offerPhaseDetails")?.object("prorationPeriodDetails")
        return proration?.text("originalOfferPhase") == "FREE_TRIAL"
    }
}
