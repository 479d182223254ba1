// SPDX-License-Identifier: Apache-2.0

/// A version 1 notification as it reached the owner's server.
package struct PostedNotification: Hashable, Sendable {
    package var appID: String
    /// When the server took it in.
    package var at: Int64
    package var type: String
    package var payload: String
}

extension AppStoreBackend {
    /// Those of all apps, in the order they arrived.
    ///
    /// Of each the first try that succeeds is the only one that counts: it is never sent again.
    func posts(since: Int64, until: Int64) throws -> [PostedNotification] {
        let latest = (AppStoreNotification.version1Hours.max() ?? 0) * CivilTime.hour
        let posts = try apps.filter(\.hasVersion1Notifications).flatMap { app in
            let sent = (notificationsByApp[app.id] ?? []).filter { $0.at <= until && $0.at + latest > since }
            return try sent.compactMap { one -> PostedNotification? in
                guard let type = one.version1Type, let at = one.arrival(by: until), at > since else { return nil }
                let row = Version1Row.row(
                    of: one, type: type, to: customers[one.customer], of: app,
                    password: keys.apps[app.id]?.sharedSecret ?? "")
                return PostedNotification(
                    appID: app.id, at: at, type: type, payload: String(decoding: try row.bytes(), as: UTF8.self))
            }
        }
        return posts.sorted { ($0.at, $0.appID) < ($1.at, $1.appID) }
    }
}

extension AppStoreNotification {
    /// Version 1 is tried three times more.
    fileprivate static let version1Hours: [Int64] = [0, 6, 24, 48]

    /// When the owner's server had it; nil while it has not.
    fileprivate func arrival(by now: Int64) -> Int64? {
        attempts(by: now, after: Self.version1Hours).last { $0.result == "SUCCESS" }?.at
    }

    /// Version 1's word for it; nil where it has none: it reports no expiry, no one-time purchase and no reversal.
    var version1Type: String? {
        switch (type, subtype) {
        case ("SUBSCRIBED", "RESUBSCRIBE"): "INTERACTIVE_RENEWAL"
        case ("SUBSCRIBED", _): "INITIAL_BUY"
        case ("DID_RENEW", "BILLING_RECOVERY"): "DID_RECOVER"
        case ("PRICE_INCREASE", "PENDING"): "PRICE_INCREASE_CONSENT"
        case ("REFUND", _): purchase.life == nil ? "REFUND" : "CANCEL"
        case ("DID_RENEW", _), ("DID_CHANGE_RENEWAL_PREF", _), ("DID_CHANGE_RENEWAL_STATUS", _),
            ("DID_FAIL_TO_RENEW", _), ("REVOKE", _), ("CONSUMPTION_REQUEST", _):
            type
        default: nil
        }
    }
}
