// SPDX-License-Identifier: Apache-2.0

import Extract
import Fetch
import Logging
import Model
import Postgres
import Runs
import Stores
import Transform

/// Checks some subscriptions of one app: Extract → Fetch → Transform.
///
/// Nothing is written, and only Extract takes a connection.
struct CheckRound {
    /// What is to be asked, and what is known of it.
    struct Known: Sendable {
        let due: [DueSubscription]
        /// For which there was no room.
        let unread: [SubscriptionKey]
        fileprivate let refundWatchDays: [Int64]
        fileprivate let levels: ProductLevels

        /// The memory it takes, roughly.
        fileprivate var byteSize: Int {
            due.reduce(0) {
                $0 + 2_000 + ($1.known.count + $1.knownEarlier.count) * MemoryLayout<KnownPeriod>.stride
            }
        }
    }

    /// What the checks came to.
    struct Checked {
        let rows: FilteredRows
        /// Why the app was stopped by its store; nil where it was not.
        let stopped: StoreFailure?
        /// What is not answered yet: the answers to the others reached the limit in bytes.
        let remaining: [SubscriptionKey]
    }

    /// The memory that the answers of one round may take until they are loaded.
    ///
    /// A usual chunk needs less.
    private static let byteLimit = 12_000_000

    let app: StoreApp
    let now: Instant
    let isAudit: Bool
    /// Of the business dates.
    let timeZone: ReportTimeZone
    let logger: Logger

    /// What is to be asked next of these, and what is known of it: as many as there is room for, in their order.
    func read(_ keys: [SubscriptionKey], on connection: PostgresConnection) async throws -> Known {
        let extract = ExtractStage(connection: connection)
        let days = try await app.refundWatchDays(by: extract)
        var reading = KnownReading(keys)
        while let batch = reading.next() {
            reading.add(try await extract.read(keys: batch, now: now, isAudit: isAudit, refundWatchDays: days))
        }
        return Known(
            due: reading.due, unread: reading.unread, refundWatchDays: days,
            levels: try await extract.levels(of: app.id, now: now))
    }

    /// `share`: what the chunk takes of the memory of all; nil where no other one is under way.
    func check(_ known: Known, taking share: MemoryBudget.Share? = nil) async -> Checked {
        share?.expect(known: known.byteSize, answers: known.due.count, limit: Self.byteLimit)
        let transform = TransformStage(
            store: app.store, now: now, defaultCountry: app.defaultCountry, refundWatchDays: known.refundWatchDays,
            levels: known.levels, timeZone: timeZone)
        let fetched = await FetchStage(
            store: app.store, client: app.client, maxInFlight: app.maxInFlight, byteLimit: Self.byteLimit,
            share: share, logger: logger
        ).fetch(known.due, taking: { AskedRows($0, by: transform) }, byteSize: \.byteSize)
        return Checked(
            rows: FilteredRows(fetched.outcomes, of: app.store, now: now), stopped: fetched.stopped,
            remaining: fetched.remaining.flatMap(\.subscriptions).map(\.key))
    }
}

extension StoreApp {
    /// The charges that are looked at again tonight, in days after the charge.
    func refundWatchDays(by extract: ExtractStage) async throws(PostgresError) -> [Int64] {
        try await extract.refundWatchDays(
            of: id, days: store.refundWatchDays, reportsRefunds: store.reportsRefunds)
    }

    /// How its one-time sales are looked at tonight.
    func looks(by extract: ExtractStage) async throws(PostgresError) -> ExtractStage.Looks {
        let isWatched = try await !refundWatchDays(by: extract).isEmpty
        return ExtractStage.Looks(days: store.refundWatchDays, areReported: store.reportsRefunds && !isWatched)
    }
}
