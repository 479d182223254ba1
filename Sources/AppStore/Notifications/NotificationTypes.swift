// SPDX-License-Identifier: Apache-2.0

/// The App Store's words for its notifications, as its documents list them.
///
/// A word that is not here is kept and counted like any other.
enum NotificationTypes {
    /// Version 1, deprecated.
    static let v1: Set<String> = [
        "INITIAL_BUY", "CANCEL", "RENEWAL", "INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_PREF",
        "DID_CHANGE_RENEWAL_STATUS", "DID_FAIL_TO_RENEW", "DID_RECOVER", "DID_RENEW", "REFUND",
        "PRICE_INCREASE_CONSENT", "REVOKE", "CONSUMPTION_REQUEST",
    ]

    /// Version 2: the subtypes of each type, besides none at all.
    static let v2: [String: Set<String>] = [
        "SUBSCRIBED": ["INITIAL_BUY", "RESUBSCRIBE"],
        "DID_RENEW": ["BILLING_RECOVERY"],
        "DID_FAIL_TO_RENEW": ["GRACE_PERIOD"],
        "GRACE_PERIOD_EXPIRED": [],
        "EXPIRED": ["VOLUNTARY", "BILLING_RETRY", "PRICE_INCREASE", "PRODUCT_NOT_FOR_SALE"],
        "DID_CHANGE_RENEWAL_PREF": ["UPGRADE", "DOWNGRADE"],
        "DID_CHANGE_RENEWAL_STATUS": ["AUTO_RENEW_ENABLED", "AUTO_RENEW_DISABLED"],
        "OFFER_REDEEMED": ["UPGRADE", "DOWNGRADE", "INITIAL_BUY", "RESUBSCRIBE"],
        "PRICE_INCREASE": ["PENDING", "ACCEPTED"],
        "REFUND": ["SEATS"],
        "REFUND_DECLINED": [],
        "REFUND_REVERSED": [],
        "REVOKE": [],
        "CONSUMPTION_REQUEST": [],
        "TEST": [],
        "ONE_TIME_CHARGE": [],
        "RENEWAL_EXTENDED": [],
        "RENEWAL_EXTENSION": ["SUMMARY", "FAILURE"],
        "RESCIND_CONSENT": [],
        "EXTERNAL_PURCHASE_TOKEN": ["UNREPORTED", "CREATED", "ACTIVE_TOKEN_REMINDER"],
        "METADATA_UPDATE": [],
        "MIGRATION": [],
        "MIGRATE": [],
        "UNCLAIM_SEATS": [],
        "PRICE_CHANGE": [],
    ]

    /// Types that speak of money given back or taken again.
    ///
    /// What a new one speaks of is unknown.
    static func isAboutRefund(_ type: String) -> Bool {
        ["REFUND", "REFUND_REVERSED", "REVOKE", "CANCEL"].contains(type) || (v2[type] == nil && !v1.contains(type))
    }

    /// Types that speak of a change of one transaction, whichever of the subscription's that is.
    static func isAboutChangedRow(_ type: String) -> Bool { isAboutRefund(type) || type == "RENEWAL_EXTENDED" }

    static func isKnown(v2 type: String, subtype: String?) -> Bool {
        guard let subtypes = v2[type] else { return false }
        return subtype.map(subtypes.contains) ?? true
    }
}
