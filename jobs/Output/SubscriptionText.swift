// SPDX-License-Identifier: Apache-2.0

import Model
import Operations

/// What a subscription is, who holds it, and when it is asked about next.
struct SubscriptionText {
    let it: ExplainedSubscription

    init(_ subscription: ExplainedSubscription) { self.it = subscription }

    var lines: [String] {
        [identity, state, access, nextCheck, lastCheck].compactMap(\.self)
    }

    private var identity: String {
        let id = it.storeKey.map { "\($0)" } ?? "purchase token not shown"
        return [
            "\(it.appID) (\(it.store), \(it.environment ?? "environment unknown"))", id,
            it.hasReceipt ? "read from a receipt" : nil, it.accountID.map { "account \($0)" },
            it.country.map { "country \($0)" }, "registered \(it.registeredAt.iso8601)",
        ].compactMap(\.self).joined(separator: ", ")
    }

    private var state: String {
        [
            "state \(it.state)" + (it.stateRaw.map { " (\($0))" } ?? ""), it.productID,
            it.expiresAt.map { "expires \($0.iso8601)" }, it.graceExpiresAt.map { "grace until \($0.iso8601)" },
            it.autoRenew.map { $0 ? "renews" : "does not renew" },
            it.committedUntil.map { "committed until \($0.iso8601)" },
            it.endedAt.map { "ended \($0.iso8601)" + (it.endReason.map { " (\($0))" } ?? "") },
        ].compactMap(\.self).joined(separator: ", ")
    }

    private var access: String {
        let until = it.accessUntil?.iso8601
        let status =
            it.hasAccess
            ? until.map { "access until \($0)" } ?? "access with no end known"
            : until.map { "access ended \($0)" } ?? "no access"
        return "\(status): \(it.accessReason)"
    }

    private var nextCheck: String {
        guard let next = it.nextCheckAt else {
            return "not asked about again, unless a notification or a registration names it"
        }
        let when = next == .distantPast ? "at once, by the next night" : next.iso8601
        return "next check \(when): \(it.nextCheckReason.replacing("_", with: " "))"
    }

    private var lastCheck: String? {
        guard let checked = it.lastCheckedAt else { return "never answered by the store yet" }
        let failures = it.failures > 0 ? "; failed checks since: \(it.failures) nights, \(it.lastError ?? "")" : ""
        return "last answered \(checked.iso8601), run \(it.lastRunID.map(String.init) ?? "-")\(failures)"
    }
}
