// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import Runs
import TestSupport

/// Chunks of runs on a real database, loaded as the workers of a night load them.
struct ChunkWorld: Sendable {
    static let app = AppID("acme-ios")
    /// 2026-03-01T00:00:00Z.
    static let march = Instant(micros: 1_772_323_200_000_000)

    let connection: PostgresConnection
    let database: PostgresConfiguration
    let log = RecordedLog()
    let sessions: DatabaseSessions

    private init(_ connection: PostgresConnection, _ database: PostgresConfiguration) {
        self.connection = connection
        self.database = database
        sessions = DatabaseSessions(database, limit: 2, logger: log.logger)
    }

    static func with(_ body: (ChunkWorld) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, database in
            let world = ChunkWorld(connection, database)
            try await body(world)
            await world.sessions.close()
        }
    }

    /// A run whose chunks are all held by their workers, with generation 1.
    func open(_ run: Int64, chunks: Int = 1) async throws {
        try await connection.script(
            """
            insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
            overriding system value
            values (\(run), 'nightly', '2026-03-01', '\(Self.march.iso8601)', 'test', 1);
            insert into subledger.run_chunks (
                run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until)
            select \(run), chunk_no, 'acme-ios', '{1}', 'leased', 1, 'test', now() + interval '1 hour'
            from generate_series(1, \(chunks)) as chunk_no
            """)
    }

    func chunk(_ run: Int64, _ number: Int = 1) -> Chunk {
        Chunk(runID: run, number: number, generation: 1, appID: Self.app, now: Self.march + .days(run))
    }

    /// Loads a chunk on a connection of its own, or on the one given.
    func load(
        _ pieces: [ChunkRows], as chunk: Chunk, on worker: PostgresConnection? = nil
    ) async throws {
        guard let worker else {
            let own = try await connect()
            defer { Task { await own.close() } }
            return try await load(pieces, as: chunk, on: own)
        }
        try await ChunkLoader(connection: worker, chunk: chunk, logger: log.logger).load(pieces, attempts: 5)
    }

    func connect() async throws -> PostgresConnection {
        try await PostgresConnection.connect(database, logger: log.logger)
    }

    /// Has every load do this between looking for changes and booking them.
    func whenChangesAreFound(_ statement: String) async throws {
        try await connection.script(
            """
            create function public.when_found() returns trigger language plpgsql as $found$
            begin
                \(statement);
                return null;
            end $found$;
            create trigger when_found after insert on subledger.stage_changes
                for each statement execute function public.when_found()
            """)
    }

    func deadLetters() async throws -> [String] {
        try await connection.lines(
            "select subscription_key, stage, reason from subledger.dead_letters order by subscription_key")
    }

    /// A monthly period of 9.99 USD from March on.
    static func period(
        of key: SubscriptionKey, _ change: (inout CanonicalTransaction) -> Void = { _ in }
    ) -> CanonicalTransaction {
        var row = CanonicalTransaction(
            key: key, lineageKey: key, appID: app, store: .appStore, environment: .production,
            facts: PeriodFacts(
                transactionID: "t\(key)", periodKey: "w\(key)", productID: "monthly", purchasedAt: march, start: march,
                end: march + .days(31), country: "US", priceMicros: 9_990_000, currency: "USD"),
            sale: SaleFacts(
                originalTransactionID: "o\(key)", subscriptionGroup: "g", priceSource: .storePrice, sourceVersion: march
            ), kind: .purchase)
        change(&row)
        return row
    }

    /// A one-time sale of the same price.
    static func sale(_ key: SubscriptionKey) -> CanonicalTransaction {
        period(of: key) { ($0.kind, $0.facts.end) = (.oneTime, nil) }
    }
}
