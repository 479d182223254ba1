// SPDX-License-Identifier: Apache-2.0

import Model
import Stores

/// One product of an order.
struct OrderLine: Decodable {
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
    /// What a whole period of the plan costs, where this one was sold as the rest of another after a change of plan: with
    /// the tax in it where the country's listed prices have it. Nil for the rest of a free trial.
    let recurringPrice: PlayMoney?
    let isSubscription: Bool
    let start: Instant?
    let end: Instant?
    let offerID: String?
    /// Nil where the store does not say, or says what nobody here knows.
    let phase: Phase?
    let unknownFields: [String]

    init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let details = fields.object("subscriptionDetails")
        productID = fields.text("productId")
        total = fields.money("total")
        tax = fields.money("tax")
        isSubscription = details != nil
        start = details?.time("servicePeriodStartTime")
        end = details?.time("servicePeriodEndTime")
        offerID = details?.text("offerId")
        phase = details.flatMap(Self.phase)
        let isRestOfTrial = details.map(Self.isRestOfTrial) ?? false
        recurringPrice = phase == .proration && !isRestOfTrial ? fields.money("listingPrice") : nil
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

    private static func isRestOfTrial(_ details: Fields) -> Bool {
        let proration = details.object("offerPhaseDetails")?.object("prorationPeriodDetails")
        return proration?.text("originalOfferPhase") == "FREE_TRIAL"
    }
}
