// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Handles some notifications of one app within the caller's transaction: each once, in any order.
///
/// What they are about becomes due at once, and is registered where it was not; nothing is booked.
struct NotificationHandler {
    let app: StoreApp
    let run: Run
    let connection: PostgresConnection

    func handle(_ inbound: [InboundNotification]) async throws(PostgresError) -> NotificationCounts {
        guard !inbound.isEmpty else { return NotificationCounts() }
        var notifications = inbound
        let handled = try await handled(notifications.map(\.dedupeKey))
        var seen = handled
        for index in notifications.indices where !seen.insert(Known(notifications[index])).inserted {
            notifications[index].markAsDuplicate()
        }
        let fresh = notifications.filter { !$0.isDuplicate }.compactMap(\.hint)
        let registered = try await register(fresh.flatMap(\.targets))
        let transactions = try await transactions(fresh.flatMap(\.targets))
        let named = fresh.flatMap(\.targets).flatMap { keys(of: $0, transactions) }
        let reported = fresh.flatMap { hint in
            hint.targets.flatMap { target in
                keys(of: target, transactions).map { Reported(key: $0, hint: hint, row: target.changedRow) }
            }
        }
        let requested = try await requestChecks(Set(named), reported: reported)
        for index in notifications.indices {
            let targets = notifications[index].hint?.targets ?? []
            notifications[index].resolve(
                isAnyKnown: targets.contains { !requested.isDisjoint(with: keys(of: $0, transactions)) })
        }
        try await record(notifications.filter { $0.id != nil })
        try await persist(notifications.filter { $0.id == nil && !$0.isDuplicate })
        return Self.counts(of: notifications, registered: registered)
    }

    /// A notification that was handled: one that was refused and one that was believed are not the same.
    private struct Known: Hashable {
        let key: String
        let isRefused: Bool

        init(key: String, isRefused: Bool) { (self.key, self.isRefused) = (key, isRefused) }

        init(_ notification: InboundNotification) {
            self.init(key: notification.dedupeKey, isRefused: notification.hint == nil)
        }
    }

    private func handled(_ keys: [String]) async throws(PostgresError) -> Set<Known> {
        var found: Set<Known> = []
        for row in try await connection.query(SQL.Notifications.findHandled, [appID, .textArray(keys)]) {
            found.insert(Known(key: try row.string("dedupe_key"), isRefused: try row.bool("is_refused")))
        }
        return found
    }

    /// How many subscriptions are new by it.
    private func register(_ targets: [Hint.Target]) async throws(PostgresError) -> Int {
        let named = targets.filter { $0.isRegistrable && $0.storeKey != nil }
        guard !named.isEmpty else { return 0 }
        let rows = try await connection.query(
            SQL.Notifications.registerNotified,
            [
                appID, .textArray(named.map { $0.storeKey?.reveal() }), .textArray(named.map(\.productID)),
                .textArray(named.map { $0.environment?.rawValue }),
                .textArray(named.map { $0.receipt?.reveal() }),
            ])
        var new: [Int64] = []
        for row in rows where try row.bool("is_new") { new.append(try row.int64("subscription_key")) }
        try await connection.execute(SQL.Notifications.dateRegistrations, [.intArray(new), PostgresValue(run.now)])
        return new.count
    }

    private func transactions(_ targets: [Hint.Target]) async throws(PostgresError) -> [String: Set<Int64>] {
        let ids = targets.compactMap(\.transactionID)
        guard !ids.isEmpty else { return [:] }
        var keys: [String: Set<Int64>] = [:]
        for row in try await connection.query(SQL.Notifications.findByTransaction, [appID, .textArray(ids)]) {
            keys[try row.string("transaction_id"), default: []].insert(try row.int64("subscription_key"))
        }
        return keys
    }

    /// What is reported of a subscription.
    private struct Reported {
        let key: Int64
        let isRefund: Bool
        /// When the store said so.
        let sentAt: Instant?
        /// The row that has changed; nil where it names none, and then it may be any.
        let row: Hint.ChangedRow?

        init(key: Int64, hint: Hint, row: Hint.ChangedRow?) {
            (self.key, isRefund, sentAt, self.row) = (key, hint.isAboutRefund, hint.sentAt, row)
        }
    }

    private func requestChecks(_ keys: Set<Int64>, reported: [Reported]) async throws(PostgresError) -> Set<Int64> {
        guard !keys.isEmpty else { return [] }
        var requested: Set<Int64> = []
        let refunded = reported.filter(\.isRefund)
        let changed = reported.filter { $0.isRefund || $0.row != nil }
        for row in try await connection.query(
            SQL.Notifications.requestCheckOfNotified,
            [
                appID, .intArray(keys.sorted()), .intArray(refunded.map(\.key)),
                .textArray(refunded.map { $0.sentAt.map { String($0.micros) } }),
                .intArray(changed.map(\.key)), .textArray(changed.map { $0.row?.signed.reveal() }),
                .textArray(refunded.map { $0.row?.transactionID }),
            ])
        {
            requested.insert(try row.int64("subscription_key"))
        }
        return requested
    }

    private func record(_ notifications: [InboundNotification]) async throws(PostgresError) {
        guard !notifications.isEmpty else { return }
        try await connection.execute(
            SQL.Notifications.recordOutcomes,
            [.intArray(notifications.compactMap(\.id))] + Self.results(of: notifications)
                + [.textArray(notifications.map(storedPayload)), PostgresValue(run.now), .int(run.id)])
    }

    /// What may stay of a notification once it was handled; nil: all of it.
    ///
    /// Version 1 brings the app's shared secret and a receipt of the customer; in a text that cannot be read, their
    /// places are unknown.
    private func storedPayload(_ notification: InboundNotification) -> String? {
        guard notification.raw.source == .appStoreV1 else { return nil }
        return app.store.readable(notification.raw).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private func persist(_ notifications: [InboundNotification]) async throws(PostgresError) {
        guard !notifications.isEmpty else { return }
        try await connection.execute(
            SQL.Notifications.persistPulled,
            [
                appID, .textArray(notifications.map { $0.raw.source.rawValue }),
                .textArray(notifications.map { $0.raw.payload.reveal() }),
            ] + Self.results(of: notifications) + [PostgresValue(run.now), .int(run.id)])
    }

    private static func results(of notifications: [InboundNotification]) -> [PostgresValue] {
        [
            .textArray(notifications.map(\.state.rawValue)), .textArray(notifications.map(\.dedupeKey)),
            .textArray(notifications.map { $0.hint?.type }), .textArray(notifications.map(\.reason)),
        ]
    }

    private var appID: PostgresValue { PostgresValue(app.id) }

    private func keys(of target: Hint.Target, _ transactions: [String: Set<Int64>]) -> Set<Int64> {
        switch target.name {
        case .storeKey(let key): [SubscriptionKey(appID: app.id, storeKey: key.reveal()).rawValue]
        case .transaction(let id): transactions[id] ?? []
        }
    }

    private static func counts(of notifications: [InboundNotification], registered: Int) -> NotificationCounts {
        var counts = NotificationCounts()
        counts.registered = registered
        for notification in notifications {
            if notification.id == nil { counts.pulled += 1 } else { counts.read += 1 }
            if notification.isDuplicate { counts.duplicates += 1 }
            switch notification.state {
            case .applied: counts.applied += 1
            case .ignored: counts.ignored += 1
            case .refused: counts.refused += 1
            }
            if let hint = notification.hint, !hint.isKnownType { counts.unknownTypes[hint.type, default: 0] += 1 }
        }
        return counts
    }
}

extension Hint.Target {
    fileprivate var storeKey: Secret? {
        guard case .storeKey(let key) = name else { return nil }
        return key
    }

    fileprivate var transactionID: String? {
        guard case .transaction(let id) = name else { return nil }
        return id
    }
}
