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
        let rows: SiftedRows
        /// Why the app was stopped by its store; nil where it was not.
        let stopped: StoreFailure?
        /// What was not asked yet: the answers to the others reached the limit in bytes.
        let remaining: [DueSubscription]
        /// What is to be asked for the rest of its answer when these rows are loaded.
        let unfinished: [UnfinishedInquiry]

        /// What the chunk is not done with.
        var open: [SubscriptionKey] { unfinished.flatMap(\.inquiry.subscriptions).map(\.key) + remaining.map(\.key) }
    }

    /// The memory that the answers of one round may take until they are loaded, and those in flight until they are read.
    /// A usual chunk needs less.
    private static let byteLimit = 12_000_000

    let app: StoreApp
    let now: Instant
    let isAudit: Bool
    let connection: PostgresConnection
    let logger: Logger

    /// What is to be asked, and what is known of it.
    func read(_ keys: [SubscriptionKey]) async throws -> [DueSubscription] {
        try await ExtractStage(connection: connection).read(
            keys: keys, now: now, isAudit: isAudit, refundWatchDays: try await refundWatchDays())
    }

    func check(_ due: [DueSubscription]) async throws -> Checked {
        let transform = TransformStage(
            store: app.store, now: now, defaultCountry: app.defaultCountry,
            refundWatchDays: try await refundWatchDays(),
            levels: try await ExtractStage(connection: connection).levels(of: app.id, now: now))
        let fetched = await FetchStage(
            store: app.store, client: app.client, maxInFlight: app.maxInFlight, byteLimit: Self.byteLimit,
            logger: logger
        ).fetch(due, taking: { AskedRows($0, by: transform) }, byteSize: \.byteSize)
        return Checked(
            rows: SiftedRows(fetched.outcomes, of: app.store), stopped: fetched.stopped,
            remaining: fetched.remaining.flatMap(\.subscriptions), unfinished: fetched.unfinished)
    }

    /// What the chunk is not done with: of what had no room the rest, as its first parts were loaded.
    func rest(of checked: Checked) async throws -> [DueSubscription] {
        let parts = Dictionary(
            checked.unfinished.flatMap { part in part.inquiry.subscriptions.map { ($0.key, part.partsSoFar) } },
            uniquingKeysWith: max)
        guard !parts.isEmpty else { return checked.remaining }
        let unfinished = try await read(parts.keys.sorted()).map { due in
            var due = due
            due.partsLoaded = parts[due.key] ?? 0
            return due
        }
        return unfinished + checked.remaining
    }

    private func refundWatchDays() async throws -> [Int64] {
        try await ExtractStage(connection: connection).refundWatchDays(
            of: app.id, days: app.store.refundWatchDays, tellsRefunds: app.store.tellsRefunds)
    }
}
