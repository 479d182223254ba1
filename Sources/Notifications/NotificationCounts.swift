// SPDX-License-Identifier: Apache-2.0

/// What a run made of an app's notifications.
package struct NotificationCounts: Sendable, Hashable {
    /// Taken out of the inbox.
    package var read = 0
    /// Fetched from the store, those that were known already included.
    package var pulled = 0
    /// They made their subscription due.
    package var applied = 0
    /// Believed, and nothing follows from them; duplicates included.
    package var ignored = 0
    package var duplicates = 0
    package var refused = 0
    /// Subscriptions that had not been handed in.
    package var registered = 0
    /// Of unknown types, by the store's word; they count among the others too.
    package var unknownTypes: [String: Int] = [:]
    /// Why the store's own list could not be fetched to its end; nil where it was, or where it keeps none.
    package var pullFailure: String?

    package init() {}

    static func + (left: NotificationCounts, right: NotificationCounts) -> NotificationCounts {
        var sum = left
        sum.read += right.read
        sum.pulled += right.pulled
        sum.applied += right.applied
        sum.ignored += right.ignored
        sum.duplicates += right.duplicates
        sum.refused += right.refused
        sum.registered += right.registered
        sum.unknownTypes.merge(right.unknownTypes, uniquingKeysWith: +)
        sum.pullFailure = left.pullFailure ?? right.pullFailure
        return sum
    }

    /// As the run ledger keeps them.
    var figures: [String: Int64] {
        var figures = [
            "read": read, "pulled": pulled, "applied": applied, "ignored": ignored, "duplicates": duplicates,
            "refused": refused, "registered": registered,
        ]
        for (type, count) in unknownTypes { figures["unknown.\(type)"] = count }
        return figures.mapValues { Int64($0) }
    }
}
