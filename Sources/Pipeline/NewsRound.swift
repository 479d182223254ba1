// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Stores

/// Before a night plans: what the stores tell unasked makes subscriptions due at once.
///
/// The mark of how far it was read commits with the subscriptions it woke. What is told twice wakes nobody twice: a
/// refund that is known already is no news.
struct NewsRound {
    let run: Run
    let connection: PostgresConnection

    /// Throws `StoreFailure` where the app stops, and `PostgresError`.
    func listen(to app: NightlyApp) async throws {
        let mark = try await connection.query(SQL.Pipeline.findNewsMark, [PostgresValue(app.id)]).first
        let news = try await app.store.news(since: try mark?.instant("read_until"), through: app.conversation)
        guard news.readUntil != nil || !news.items.isEmpty else { return }
        try await connection.withTransaction { connection in
            try await connection.execute(
                SQL.Pipeline.wakeRefunded,
                [
                    .intArray(
                        news.items.map { SubscriptionKey(appID: app.id, storeKey: $0.storeKey.reveal()).rawValue }),
                    .textArray(news.items.map(\.transactionID)),
                ])
            _ = try await connection.query(
                SQL.Pipeline.registerRefundedSales,
                [
                    PostgresValue(app.id), .textArray(news.items.map { $0.storeKey.reveal() }),
                    .textArray(news.items.map(\.transactionID)),
                ])
            // Where it could not be read to its end, what was told counts, and the next look begins where this one did.
            guard let readUntil = news.readUntil else { return }
            try await connection.execute(
                SQL.Pipeline.keepNewsMark, [PostgresValue(app.id), PostgresValue(readUntil), .int(run.id)])
        }
    }
}
