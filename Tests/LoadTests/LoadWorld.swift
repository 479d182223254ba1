// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import TestSupport

/// One subscription on a real database, and nights that load rows of it.
struct LoadWorld {
    static let key = SubscriptionKey(7_928_393_119_289_343_153)
    static let app = AppID("acme-ios")
    /// 2026-03-01T00:00:00Z.
    static let march = Instant(micros: 1_772_323_200_000_000)

    let connection: PostgresConnection

    static func with<R>(_ body: (LoadWorld) async throws -> R) async throws -> R {
        try await withLedgerDatabase { connection, _ in
            try await connection.script("select subledger.register('acme-ios', '1000000481802759', 'alice')")
            return try await body(LoadWorld(connection: connection))
        }
    }

    /// Loads rows as one night's only chunk; returns how many transactions changed.
    @discardableResult
    func night(_ number: Int64, _ rows: ChunkRows, generation: Int64 = 1) async throws -> Int {
        try await open(number, at: Self.march + .days(number))
        return try await load(number, chunk: 1, rows, generation: generation)
    }

    /// Loads rows as a chunk of an open run; returns how many transactions changed.
    @discardableResult
    func load(_ run: Int64, chunk: Int, _ rows: ChunkRows, generation: Int64 = 1) async throws -> Int {
        let now = Self.march + .days(run)
        let chunk = Chunk(runID: run, number: chunk, generation: generation, appID: Self.app, now: now)
        return try await LoadStage(connection: connection).load(rows, as: chunk, counts: ["checked": 1])
    }

    /// A run with chunks that this worker holds with generation 1.
    func open(_ number: Int64, at now: Instant, chunks: Int = 1) async throws {
        try await connection.script(
            """
            insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
            overriding system value
            values (
                \(number), 'nightly', ('\(now.iso8601)'::timestamptz at time zone 'UTC')::date - 1, '\(now.iso8601)', 'test', 1);
            insert into subledger.run_chunks (
                run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until)
            select \(number), chunk, 'acme-ios', '{\(Self.key)}', 'leased', 1, 'test', now() + interval '1 hour'
            from generate_series(1, \(chunks)) as chunk
            """)
    }

    /// The ledger as a person reads it.
    func ledger() async throws -> [String] {
        try await connection.lines(
            """
            select seq, kind, amount_micros, currency, to_char(occurred_at, 'MM-DD HH24:MI') as at, run_id, corrects
            from subledger.ledger_entries order by transaction_id, seq
            """)
    }

    /// A monthly period of 9.99 USD from 2026-03-01, as signed on that day of March.
    static func period(signed day: Int64 = 0, _ change: (inout CanonicalTransaction) -> Void = { _ in }) -> ChunkRows {
        var row = CanonicalTransaction(
            key: key, lineageKey: key, appID: app, store: .appStore, environment: .production,
            facts: PeriodFacts(
                transactionID: "t1", periodKey: "w1", productID: "monthly", purchasedAt: march, start: march,
                end: march + .days(31), country: "US", priceMicros: 9_990_000, currency: "USD"),
            sale: SaleFacts(
                originalTransactionID: "1000000481802759", subscriptionGroup: "g", priceSource: .storePrice,
                sourceVersion: march + .days(day)), kind: .purchase)
        change(&row)
        var rows = ChunkRows()
        rows.transactions = [row]
        return rows
    }
}
