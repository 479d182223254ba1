// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.subscriptionsv2.get`.
struct PlaySubscriptionV2: Encodable {
    struct LineItem: Encodable {
        struct Plan: Encodable {
            struct PriceChange: Encodable {
                var newPrice: PlayJSON.Money
                var priceChangeMode: String
                var priceChangeState: String
                var expectedNewPriceChargeTime: String?
            }
            struct Instalments: Encodable {
                var initialCommittedPaymentsCount: Int
                var remainingCommittedPaymentsCount: Int?
                var subsequentCommittedPaymentsCount: Int?
                var pendingCancellation: PlayJSON.Empty?
            }
            struct StepUp: Encodable {
                var consentDeadlineTime: String
                var newPrice: PlayJSON.Money
                var state: String
            }
            var autoRenewEnabled: Bool?
            var recurringPrice: PlayJSON.Money?
            var priceChangeDetails: PriceChange?
            var installmentDetails: Instalments?
            var priceStepUpConsentDetails: StepUp?
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
            var prorationPeriod: Proration?
        }
        struct Proration: Encodable {
            var originalOfferPhaseType = "BASE"
        }
        struct Replaced: Encodable {
            var productId: String
            var basePlanId: String
            var replacementMode: String
        }
        struct Replacement: Encodable {
            var productId: String
        }
        struct Promotion: Encodable {
            struct Vanity: Encodable {
                var promotionCode: String
            }
            var vanityCode: Vanity?
            var oneTimeCode: PlayJSON.Empty?
        }

        var productId: String
        var expiryTime: String
        var latestSuccessfulOrderId: String?
        var autoRenewingPlan: Plan?
        var prepaidPlan: Prepaid?
        var offerDetails: Offer
        var offerPhase: Phase
        var deferredItemReplacement: Replacement?
        var deferredItemRemoval: PlayJSON.Empty?
        var itemReplacement: Replaced?
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

    struct Outside: Encodable {
        var expiredPurchaseToken: String
        var expiredExternalAccountIdentifiers: Account
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
    var startTime: String?
    var subscriptionState: String
    var linkedPurchaseToken: String?
    var lineItems: [LineItem]
    var acknowledgementState = "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED"
    var canceledStateContext: Canceled?
    var pausedStateContext: Paused?
    var inGracePeriodStateContext: Unpaid?
    var onHoldStateContext: Unpaid?
    /// Left out of a purchase made outside the app, which could not hand one in.
    var externalAccountIdentifiers: Account?
    var outOfAppPurchaseContext: Outside?
    var subscribeWithGoogleInfo: Profile?
    var testPurchase: PlayJSON.Empty?
    var etag: String
}

extension PlaySubscriptionV2 {
    /// What the store shows of a purchase that stands so.
    init(_ token: PlayToken, _ moment: PlayMoment, of customer: PlayCustomer, in app: SimulatedApp, at now: Int64) {
        regionCode = customer.market.country
        startTime = moment.state == .pending ? nil : PlayJSON.time(token.startedAt)
        if !token.isAcknowledged(at: now) { acknowledgementState = "ACKNOWLEDGEMENT_STATE_PENDING" }
        subscriptionState = "SUBSCRIPTION_STATE_\(moment.state.rawValue)"
        linkedPurchaseToken = token.linkedToken
        lineItems = moment.items.map { LineItem($0, token, customer.market, app, at: now) }
        let account = Account(obfuscatedExternalAccountId: customer.accountID)
        if token.expiredToken == nil { externalAccountIdentifiers = account }
        if let expired = token.expiredToken, !token.isAcknowledged(at: now) {
            outOfAppPurchaseContext = Outside(
                expiredPurchaseToken: expired, expiredExternalAccountIdentifiers: account)
        }
        etag = "\"\(moment.at)\""
        if token.startedAt / CivilTime.second % 7 == 0 { subscribeWithGoogleInfo = Profile() }
        if token.isTest { testPurchase = PlayJSON.Empty() }
        switch moment.state {
        case .canceled, .expired: canceledStateContext = moment.cancellation.map(Canceled.init)
        case .paused: pausedStateContext = moment.resumesAt.map { Paused(autoResumeTime: PlayJSON.time($0)) }
        case .grace: inGracePeriodStateContext = Unpaid(declined: moment.declinedOrderID)
        case .hold: onHoldStateContext = Unpaid(declined: moment.declinedOrderID)
        case .pending, .pendingCanceled, .active: break
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
