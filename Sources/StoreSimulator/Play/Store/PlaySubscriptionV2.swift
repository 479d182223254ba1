// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.subscriptionsv2.get`.
struct PlaySubscriptionV2: Encodable {
    struct LineItem: Encodable {
        struct Plan: Encodable {
            var autoRenewEnabled: Bool?
            var recurringPrice: PlayJSON.Money?
        }
        struct Prepaid: Encodable {
            var allowExtendAfterTime: String
        }
        struct Offer: Encodable {
            var basePlanId: String
            var offerId: String?
            var offerTags: [String]?
        }
        struct Phase: Encodable {
            var basePrice: PlayJSON.Empty?
            var freeTrial: PlayJSON.Empty?
            var introductoryPrice: PlayJSON.Empty?
        }
        struct Replacement: Encodable {
            var productId: String
        }
        struct Promotion: Encodable {
            struct Vanity: Encodable {
                var promotionCode: String
            }
            var vanityCode: Vanity
        }

        var productId: String
        var expiryTime: String
        var latestSuccessfulOrderId: String?
        var autoRenewingPlan: Plan?
        var prepaidPlan: Prepaid?
        var offerDetails: Offer
        var offerPhase: Phase
        var deferredItemReplacement: Replacement?
        var signupPromotion: Promotion?
    }

    struct Canceled: Encodable {
        struct Survey: Encodable {
            var reason: String
            var reasonUserInput: String?
        }
        struct User: Encodable {
            var cancelTime: String
            var cancelSurveyResult: Survey?
        }
        var userInitiatedCancellation: User?
        var systemInitiatedCancellation: PlayJSON.Empty?
        var developerInitiatedCancellation: PlayJSON.Empty?
        var replacementCancellation: PlayJSON.Empty?
    }

    struct Paused: Encodable {
        var autoResumeTime: String
    }

    struct Unpaid: Encodable {
        struct Declined: Encodable {
            var pendingOrderId: String
        }
        var renewalDeclined: Declined?
    }

    struct Account: Encodable {
        var obfuscatedExternalAccountId: String
    }

    struct Profile: Encodable {
        var profileId = "101077778888999900001"
        var profileName = "Erika Mustermann"
        var emailAddress = "erika.mustermann@example.com"
        var givenName = "Erika"
        var familyName = "Mustermann"
    }

    var kind = "androidpublisher#subscriptionPurchaseV2"
    var regionCode: String
    var startTime: String
    var subscriptionState: String
    var linkedPurchaseToken: String?
    var lineItems: [LineItem]
    var acknowledgementState = "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
    var canceledStateContext: Canceled?
    var pausedStateContext: Paused?
    var inGracePeriodStateContext: Unpaid?
    var onHoldStateContext: Unpaid?
    var externalAccountIdentifiers: Account
    var subscribeWithGoogleInfo: Profile?
    var testPurchase: PlayJSON.Empty?
    var etag: String
}

extension PlaySubscriptionV2 {
    /// What the store shows of a purchase that stands so.
    init(_ token: PlayToken, _ moment: PlayMoment, of customer: PlayCustomer, in app: SimulatedApp) {
        regionCode = customer.market.country
        startTime = PlayJSON.time(token.startedAt)
        subscriptionState = "SUBSCRIPTION_STATE_\(moment.state.rawValue)"
        linkedPurchaseToken = token.linkedToken
        lineItems = moment.items.map { LineItem($0, token, customer.market, app) }
        externalAccountIdentifiers = Account(obfuscatedExternalAccountId: customer.accountID)
        etag = "\"\(moment.at)\""
        if token.startedAt / CivilTime.second % 7 == 0 { subscribeWithGoogleInfo = Profile() }
        if token.isTest { testPurchase = PlayJSON.Empty() }
        switch moment.state {
        case .canceled, .expired: canceledStateContext = moment.cancellation.map(Canceled.init)
        case .paused: pausedStateContext = moment.resumesAt.map { Paused(autoResumeTime: PlayJSON.time($0)) }
        case .grace: inGracePeriodStateContext = Unpaid(declined: moment.declinedOrderID)
        case .hold: onHoldStateContext = Unpaid(declined: moment.declinedOrderID)
        case .pending, .active: break
        }
    }
}

extension PlaySubscriptionV2.Unpaid {
    init(declined orderID: String?) {
        renewalDeclined = orderID.map(Declined.init)
    }
}

extension PlaySubscriptionV2.Canceled {
    init(_ cancellation: PlayMoment.Cancellation) {
        switch cancellation {
        case .user(let at):
            userInitiatedCancellation = User(cancelTime: PlayJSON.time(at), cancelSurveyResult: Survey(at))
        case .system: systemInitiatedCancellation = PlayJSON.Empty()
        case .developer: developerInitiatedCancellation = PlayJSON.Empty()
        case .replacement: replacementCancellation = PlayJSON.Empty()
        }
    }
}

extension PlaySubscriptionV2.Canceled.Survey {
    /// Some answer the survey, some of those in their own words, and some do not.
    init?(_ instant: Int64) {
        switch instant / CivilTime.second % 3 {
        case 0: return nil
        case 1: self.init(reason: "CANCEL_SURVEY_REASON_COST_RELATED")
        default:
            self.init(
                reason: "CANCEL_SURVEY_REASON_OTHERS", reasonUserInput: "Moving in with Max Mustermann, 0171 2345678")
        }
    }
}

extension PlaySubscriptionV2.LineItem {
    init(_ item: PlayMoment.Item, _ token: PlayToken, _ market: PlayMarket, _ app: SimulatedApp) {
        productId = item.product.identifier(in: app.bundleID)
        expiryTime = PlayJSON.time(item.expiresAt)
        latestSuccessfulOrderId = item.latestOrderID
        if token.isPrepaid {
            prepaidPlan = Prepaid(allowExtendAfterTime: PlayJSON.time(token.startedAt))
        } else {
            autoRenewingPlan = Plan(
                autoRenewEnabled: PlayJSON.flag(item.renews),
                recurringPrice: PlayJSON.Money(
                    micros: market.listPrice(of: item.product), currency: market.currency))
        }
        offerDetails = Offer(basePlanId: item.product.basePlanID, offerId: item.phase.offerID)
        offerPhase = Phase(
            basePrice: item.phase == .base ? PlayJSON.Empty() : nil,
            freeTrial: item.phase == .freeTrial ? PlayJSON.Empty() : nil,
            introductoryPrice: item.phase == .introductory ? PlayJSON.Empty() : nil)
        deferredItemReplacement = item.deferredProduct.map {
            Replacement(productId: $0.identifier(in: app.bundleID))
        }
        signupPromotion = token.promotionCode.map { Promotion(vanityCode: .init(promotionCode: $0)) }
    }
}

extension PlayOrder.Phase {
    /// The store's name of the offer.
    var offerID: String? {
        switch self {
        case .base: nil
        case .freeTrial: "trial"
        case .introductory: "intro-half"
        }
    }
}
