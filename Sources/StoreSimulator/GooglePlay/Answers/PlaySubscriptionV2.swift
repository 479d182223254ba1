// SPDX-License-Identifier: Apache-2.0

/// The answer of `purchases.subscriptionsv2.get`: what the store shows of a purchase that stands so.
enum PlaySubscriptionV2 {
    static func answer(
        _ token: PlayToken, _ moment: PlayMoment, of customer: PlayCustomer, in app: SimulatedApp, at now: Int64
    ) -> WireObject {
        let (isAcknowledged, market) = (token.isAcknowledged(at: now), customer.market)
        let account: WireObject = ["obfuscatedExternalAccountId": customer.accountID]
        let items = moment.items.map {
            PlayLineItem(item: $0, token: token, market: market, app: app, now: now).document
        }
        var answer: WireObject = [
            "kind": "androidpublisher#subscriptionPurchaseV2", "regionCode": market.country,
            "startTime": moment.state == .pending ? nil : PlayJSON.time(token.startedAt),
            "subscriptionState": "SUBSCRIPTION_STATE_\(moment.state.rawValue)",
            "linkedPurchaseToken": token.linkedToken, "lineItems": items,
            "acknowledgementState": "ACKNOWLEDGEMENT_STATE_\(isAcknowledged ? "ACKNOWLEDGED" : "PENDING")",
            "testPurchase": PlayJSON.present(token.isTest), "etag": "\"\(moment.at)\"",
        ]
        if let expired = token.expiredToken {
            if !isAcknowledged {
                answer["outOfAppPurchaseContext"] =
                    ["expiredPurchaseToken": expired, "expiredExternalAccountIdentifiers": account] as WireObject
            }
        } else {
            // Left out of a purchase made outside the app, which could not hand one in.
            answer["externalAccountIdentifiers"] = account
        }
        if token.startedAt / CivilTime.second % 7 == 0 { answer["subscribeWithGoogleInfo"] = profile }
        addStateContext(moment, in: &answer)
        return answer
    }

    private static let profile: WireObject = [
        "profileId": "101077778888999900001", "profileName": "Erika Mustermann",
        "emailAddress": "erika.mustermann@example.com", "givenName": "Erika", "familyName": "Mustermann",
    ]

    /// What the state comes with.
    private static func addStateContext(_ moment: PlayMoment, in answer: inout WireObject) {
        let declined = moment.declinedOrderID.map { ["pendingOrderId": $0] as WireObject }
        switch moment.state {
        case .canceled, .expired: answer["canceledStateContext"] = moment.cancellation.map(context)
        case .paused:
            answer["pausedStateContext"] = moment.resumesAt.map { ["autoResumeTime": PlayJSON.time($0)] as WireObject }
        case .grace: answer["inGracePeriodStateContext"] = ["renewalDeclined": declined] as WireObject
        case .hold: answer["onHoldStateContext"] = ["renewalDeclined": declined] as WireObject
        case .pending, .pendingCanceled, .active: break
        }
    }

    private static func context(of cancellation: PlayMoment.Cancellation) -> WireObject {
        switch cancellation {
        case .user(let at):
            let user: WireObject = ["cancelTime": PlayJSON.time(at), "cancelSurveyResult": survey(at)]
            return ["userInitiatedCancellation": user]
        case .system: return ["systemInitiatedCancellation": [:] as WireObject]
        case .developer: return ["developerInitiatedCancellation": [:] as WireObject]
        case .replacement: return ["replacementCancellation": [:] as WireObject]
        }
    }

    /// Some answer the survey, some of those in their own words, and some do not.
    private static func survey(_ instant: Int64) -> WireObject? {
        switch instant / CivilTime.second % 3 {
        case 0: nil
        case 1: ["reason": "CANCEL_SURVEY_REASON_COST_RELATED"]
        default:
            [
                "reason": "CANCEL_SURVEY_REASON_OTHERS",
                "reasonUserInput": "Moving in with Max Mustermann, 0171 2345678",
            ]
        }
    }
}
