// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Reads what an app's backend wrote into the inbox, then fetches what the store retains.
///
/// Each part commits with what it made due and with how far it was fetched; only then is it acknowledged to the store.
struct NotificationRound {
    /// Notifications per transaction; version 1 brings a whole receipt with each.
    private static let batch: Int64 = 200

    let run: Run
    let database: any DatabaseAccess
    let logger: Logger

    /// Throws `PostgresError`.
    func readInbox(of app: StoreApp) async throws -> NotificationCounts {
        let last = try await database.use {
            try await $0.query(SQL.Notifications.lastPending, [PostgresValue(app.id)]).first
        }
        let end = try last?.int64("notification_id") ?? 0
        var (counts, place) = (NotificationCounts(), Int64(0))
        while place < end {
            try Task.checkCancellation()
            let batch = try await database.use { try await handleBatch(of: app, from: place, to: end, on: $0) }
            guard let batch else { break }
            counts = counts + batch.counts
            place = batch.lastID
        }
        log(counts, of: app)
        return counts
    }

    /// Fetches what the store keeps.
    ///
    /// Throws `StoreFailure` where the app stops, and `PostgresError`. A pull that fails otherwise is in the counts.
    func fetch(for app: StoreApp) async throws -> NotificationCounts {
        let counts = try await pull(for: app)
        log(counts, of: app)
        return counts
    }

    private struct Batch {
        let lastID: Int64
        let counts: NotificationCounts
    }

    /// Nil where none is pending any more.
    ///
    /// What a lost commit has handled is pending no more either.
    private func handleBatch(
        of app: StoreApp, from place: Int64, to end: Int64, on connection: PostgresConnection
    ) async throws -> Batch? {
        let rows = try await connection.query(
            SQL.Notifications.listPending, [PostgresValue(app.id), .int(place), .int(end), .int(Self.batch)])
        let notifications = try rows.map { try InboundNotification($0, readBy: app.store) }
        guard let lastID = notifications.last?.id else { return nil }
        return Batch(lastID: lastID, counts: try await handle(notifications, of: app, on: connection))
    }

    /// In one transaction, with what is written besides.
    ///
    /// Those that the database refuses are found by halving, and refused themselves.
    private func handle(
        _ notifications: [InboundNotification], of app: StoreApp, on connection: PostgresConnection,
        besides write: (PostgresConnection) async throws -> Void = { _ in }
    ) async throws -> NotificationCounts {
        let handler = NotificationHandler(app: app, run: run, connection: connection)
        func handleWithin(_ notifications: [InboundNotification]) async throws -> NotificationCounts {
            let counts = try await handler.handle(notifications)
            try await write(connection)
            return counts
        }
        do {
            return try await connection.withTransaction { _ in try await handleWithin(notifications) }
        } catch let error as PostgresError where error.isPerhapsOfRecord {
            var (taken, remaining): ([InboundNotification], _) = ([], notifications)
            let refused = try await Halving.refused(among: notifications) { part in
                try await connection.rehearse { _ in _ = try await handleWithin(taken + part) }
                taken += part
            }
            for (place, error) in refused { remaining[place].refuse(because: error) }
            return try await connection.withTransaction { _ in try await handleWithin(remaining) }
        }
    }

    private func pull(for app: StoreApp) async throws -> NotificationCounts {
        guard
            var pull = app.store.pull(since: try await mark(of: app), until: run.now, through: app.client)
        else { return NotificationCounts() }
        var counts = NotificationCounts()
        do {
            while let batch = try await pull.next() {
                counts = counts + (try await persist(batch, of: app))
                try await pull.acknowledge(batch)
                try Task.checkCancellation()
            }
        } catch let failure as StoreFailure where !failure.stopsApp {
            counts.pullFailure = try await lost(failure, of: app)
        }
        return counts
    }

    /// Where the last pull ended; the first one begins a night before the app was installed here: the first answers
    /// show what happened earlier.
    private func mark(of app: StoreApp) async throws -> Instant {
        try await database.use { try await mark(of: app, on: $0) }
    }

    private func mark(
        of app: StoreApp, on connection: PostgresConnection
    ) async throws(PostgresError) -> Instant {
        let id = PostgresValue(app.id)
        let pull = try await connection.query(SQL.Notifications.findPull, [id]).first
        if let mark = try pull?.optionalInstant("pulled_until") { return mark }
        let first = try await connection.query(SQL.Notifications.findInstallation, [id]).first
        return (try first?.optionalInstant("installed_at") ?? run.now) - NextCheck.night
    }

    private func persist(_ batch: NotificationBatch, of app: StoreApp) async throws -> NotificationCounts {
        let notifications = batch.notifications.map { InboundNotification($0, readBy: app.store) }
        // The store itself gave them: where none can be believed, it is our root certificate that cannot.
        if !notifications.isEmpty, notifications.allSatisfy(\.isUnverified) {
            throw StoreFailure.unverifiedNotifications
        }
        return try await database.use { try await persist(notifications, readUntil: batch.readUntil, of: app, on: $0) }
    }

    /// Written again, it makes due again what was, and nothing else.
    private func persist(
        _ notifications: [InboundNotification], readUntil: Instant?, of app: StoreApp, on connection: PostgresConnection
    ) async throws -> NotificationCounts {
        try await handle(notifications, of: app, on: connection) { connection in
            try await connection.execute(
                SQL.Notifications.persistPull, [PostgresValue(app.id), PostgresValue(readUntil), .int(run.id)])
        }
    }

    /// A pull that came to nothing: what the store keeps stays there for the next one.
    ///
    /// That it keeps none at all is said once, and is no failure.
    private func lost(_ failure: StoreFailure, of app: StoreApp) async throws -> String? {
        guard failure.cause == .notificationsUnavailable else {
            logger.warning(
                "notifications could not be fetched to the end; the next run tries again",
                metadata: ["app": "\(app.id)", "reason": "\(failure.reason)", "error": "\(failure.message)"])
            return failure.message
        }
        let firstTime = try await database.use {
            try await $0.query(
                SQL.Notifications.markHistoryUnavailable, [PostgresValue(app.id), PostgresValue(run.now), .int(run.id)])
        }
        if !firstTime.isEmpty { logger.warning("\(failure.message)", metadata: ["app": "\(app.id)"]) }
        return nil
    }

    private func log(_ counts: NotificationCounts, of app: StoreApp) {
        guard counts.read + counts.pulled > 0 else { return }
        logger.info(
            "notifications handled",
            metadata: [
                "app": "\(app.id)", "read": "\(counts.read)", "pulled": "\(counts.pulled)",
                "applied": "\(counts.applied)", "ignored": "\(counts.ignored)", "refused": "\(counts.refused)",
            ])
        for (type, count) in counts.unknownTypes.sorted(by: { $0.key < $1.key }) {
            logger.info(
                "a type of notification that this version does not know",
                metadata: ["app": "\(app.id)", "type": "\(type)", "count": "\(count)"])
        }
    }
}

extension InboundNotification {
    /// From a row of the inbox.
    fileprivate init(_ row: PostgresRow, readBy store: any Store) throws(PostgresError) {
        let notification = RawNotification(
            source: try row.word("source", as: NotificationSource.self), payload: Secret(try row.string("payload")))
        self.init(id: try row.int64("notification_id"), notification, readBy: store)
    }
}

extension InboundNotification {
    fileprivate var isUnverified: Bool {
        guard case .failure(let refusal) = opened else { return false }
        return refusal.reason == NotificationRefusal.unverified
    }
}

extension StoreFailure {
    fileprivate static let unverifiedNotifications = StoreFailure(
        .unreadable, reason: "not_verified",
        message: "No notification that the store keeps is signed under the root certificate: look at "
            + "root_certificate_file. They are fetched again by the next run.")
}
