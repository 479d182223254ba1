// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// Reads a store's events about purchases whose money moved, and makes their subscriptions due at once.
///
/// The mark of how far it was read commits with the subscriptions it made due. An event that is reported twice makes none due
/// twice: a refund that is known already is no event. What is written may be written again.
struct StoreEventRound {
    let run: Run
    let database: any DatabaseAccess

    /// Throws `StoreFailure` where the app stops, and `PostgresError`.
    func read(of app: StoreApp) async throws {
        let mark = try await database.use {
            try await $0.query(SQL.Pipeline.findEventWatermark, [PostgresValue(app.id)]).first
        }
        let events = try await app.store.events(since: try mark?.instant("read_until"), through: app.client)
        guard events.readUntil != nil || !events.items.isEmpty else { return }
        try await database.use { try await write(events, of: app, on: $0) }
    }

    private func write(_ events: StoreEvents, of app: StoreApp, on connection: PostgresConnection) async throws {
        try await connection.withTransaction { connection in
            try await connection.execute(
                SQL.Pipeline.requestCheckOfRefunded,
                [
                    .intArray(
                        events.items.map { SubscriptionKey(appID: app.id, storeKey: $0.storeKey.reveal()).rawValue }),
                    .textArray(events.items.map(\.transactionID)),
                ])
            _ = try await connection.query(
                SQL.Pipeline.registerRefundedSales,
                [
                    PostgresValue(app.id), .textArray(events.items.map { $0.storeKey.reveal() }),
                    .textArray(events.items.map(\.transactionID)),
                ])
            // Where it could not be read to its end, what was read counts, and the next look begins where this one did.
            guard let readUntil = events.readUntil else { return }
            try await connection.execute(
                SQL.Pipeline.persistEventWatermark, [PostgresValue(app.id), PostgresValue(readUntil), .int(run.id)])
        }
    }
}
