// SPDX-License-Identifier: Apache-2.0

import Extract
import Fetch
import Logging
import Model
import Postgres
import Runs
import Stores
import Transform

/// Checks some subscriptions of one app: Extract → Fetch → Transform. Nothing is written.
struct CheckRound {
    /// What the checks came to.
    struct Checked {
        let due: [DueSubscription]
        let rows: SiftedRows
        /// Why the app was stopped by its store; nil where it was not.
        let stopped: StoreFailure?
    }

    let app: StoreApp
    let now: Instant
    let isAudit: Bool
    let connection: PostgresConnection
    let logger: Logger

    func check(_ keys: [SubscriptionKey]) async throws -> Checked {
        let extract = ExtractStage(connection: connection)
        let days = try await extract.refundWatchDays(
            of: app.id, days: app.store.refundWatchDays, tellsRefunds: app.store.tellsRefunds)
        let due = try await extract.read(keys: keys, now: now, isAudit: isAudit, refundWatchDays: days)
        let transform = TransformStage(
            store: app.store, now: now, defaultCountry: app.defaultCountry, refundWatchDays: days,
            levels: try await extract.levels(of: app.id, now: now))
        let fetched = await FetchStage(
            store: app.store, client: app.client, maxInFlight: app.maxInFlight, logger: logger
        ).fetch(due) { AskedRows($0, by: transform) }
        return Checked(due: due, rows: SiftedRows(fetched.outcomes, of: app.store), stopped: fetched.stopped)
    }
}
