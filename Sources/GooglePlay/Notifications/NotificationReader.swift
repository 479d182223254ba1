// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Stores

/// Believes a real-time developer notification or says why not.
///
/// It carries no signature: who may publish to the topic and push to the webhook proves its origin, and the package
/// proves that it is about this app.
struct NotificationReader {
    /// Google's names of the numbers of `subscriptionNotification`.
    ///
    /// 14 to 16 and 21 are not assigned yet.
    static let subscriptionTypes: [Int64: String] = [
        1: "RECOVERED", 2: "RENEWED", 3: "CANCELED", 4: "PURCHASED", 5: "ON_HOLD", 6: "IN_GRACE_PERIOD",
        7: "RESTARTED", 8: "PRICE_CHANGE_CONFIRMED", 9: "DEFERRED", 10: "PAUSED", 11: "PAUSE_SCHEDULE_CHANGED",
        12: "REVOKED", 13: "EXPIRED", 17: "ITEMS_CHANGED", 18: "CANCELLATION_SCHEDULED", 19: "PRICE_CHANGE_UPDATED",
        20: "PENDING_PURCHASE_CANCELED", 22: "PRICE_STEP_UP_CONSENT_UPDATED",
    ]
    /// Those that speak of money given back; what a new one speaks of is unknown.
    private static let refundTypes: Set<String> = ["SUBSCRIPTION_REVOKED", "VOIDED_PURCHASE"]
    static let oneTimeTypes: [Int64: String] = [1: "PURCHASED", 2: "CANCELED"]

    /// What a member and its number come to.
    private struct Meaning {
        let type: String?
        let targets: [Hint.Target]
        let remark: String?

        init(_ type: String?, _ targets: [Hint.Target] = [], remark: String? = nil) {
            (self.type, self.targets, self.remark) = (type, targets, remark)
        }
    }

    let packageName: String

    func hint(in notification: RawNotification) throws(NotificationRefusal) -> Hint {
        guard notification.source == .playRTDN else { throw .notOfThisStore }
        let (json, messageID) = try PubSubEnvelope.open(notification.payload.reveal())
        guard let body = DeveloperNotification(json: json) else { throw .notJSON }
        guard body.packageName == packageName else { throw .otherApp }
        guard let event = body.event, let member = event.member.asPlainWord() else { throw .notJSON }
        let meaning = Self.meaning(of: event)
        let number = event.number.map { "/\($0)" } ?? ""
        return Hint(
            type: meaning.type ?? member + number, isKnownType: meaning.type != nil,
            dedupeKey: messageID ?? notification.textKey, targets: meaning.targets,
            isAboutRefund: meaning.type.map(Self.refundTypes.contains) ?? true, remark: meaning.remark)
    }

    private static func meaning(of event: DeveloperNotification.Event) -> Meaning {
        switch event.member {
        case "subscriptionNotification":
            let name = event.number.flatMap { subscriptionTypes[$0] }
            return Meaning(name.map { "SUBSCRIPTION_" + $0 }, event.purchase(isRegistrable: true))
        case "oneTimeProductNotification":
            let name = event.number.flatMap { oneTimeTypes[$0] }
            return Meaning(name.map { "ONE_TIME_PRODUCT_" + $0 }, event.purchase(isRegistrable: true))
        case "voidedPurchaseNotification":
            let isKnown = event.productType == 1 || event.productType == 2
            return Meaning(isKnown ? "VOIDED_PURCHASE" : nil, event.purchase(isRegistrable: isKnown))
        case "pendingRefundReviewNotification":
            let order = event.orderID?.asPlainWord().map { Hint.Target(.transaction($0), isRegistrable: false) }
            return Meaning("PENDING_REFUND_REVIEW", order.map { [$0] } ?? [])
        case "testNotification": return Meaning("TEST", remark: "a test notification")
        default: return Meaning(nil, event.purchase(isRegistrable: false))
        }
    }
}

extension DeveloperNotification.Event {
    /// The purchase it names, if it names one.
    fileprivate func purchase(isRegistrable: Bool) -> [Hint.Target] {
        guard let token = purchaseToken?.reveal().asStoreID(of: .googlePlay) else { return [] }
        return [
            Hint.Target(
                .storeKey(Secret(token)), isRegistrable: isRegistrable, productID: productID?.asPlainWord(upTo: 300))
        ]
    }
}
