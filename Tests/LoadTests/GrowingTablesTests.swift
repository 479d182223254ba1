// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// A chunk costs the same whatever is held already.
///
/// In a first night the planner has no statistics of tables that grow while it looks on: it takes them for small, and
/// reads all of them for each chunk unless a statement is bound to go by key.
@Suite(.hangLimit) struct GrowingTablesTests {
    private static let stored: Range<Int64> = 1_000_000..<1_010_000
    private static let asked: Range<Int64> = 2_000_000..<2_000_020

    /// Purchases of Google Play with one charge each.
    ///
    /// Where they are linked, each fifth continues its neighbour.
    private static func rows(of keys: Range<Int64>, linked: Bool = true) -> ChunkRows {
        var rows = ChunkRows()
        for number in keys {
            let key = SubscriptionKey(number)
            rows.discoveries.append(
                DiscoveredSubscription(
                    key: key, appID: LoadWorld.app, store: .googlePlay, environment: .production,
                    storeKey: Secret("token-\(number)"), productID: nil, discoveredBy: key, receiptID: nil))
            rows.transactions +=
                LoadWorld.period { row in
                    (row.key, row.lineageKey) = (key, key)
                    (row.facts.transactionID, row.facts.periodKey) = ("t\(number)", "w\(number)")
                }.transactions
            rows.subscriptions.append(state(of: key))
            rows.answers[key] = [ArchivedDocument(endpoint: "statuses", body: "{}", answerHash: "h")]
            rows.asked[key] = 0
            if linked, number % 5 == 0 {
                rows.links.append(LineageLink(key: key, earlier: SubscriptionKey(number + 1)))
            }
        }
        return rows
    }

    private static func state(of key: SubscriptionKey, autoRenew: Bool = true) -> SubscriptionRow {
        SubscriptionRow(
            key: key, environment: .production,
            snapshot: SubscriptionSnapshot(
                state: .active, stateRaw: "1", productID: "monthly", autoRenew: autoRenew,
                expiresAt: LoadWorld.march + .days(31)),
            nextCheck: NextCheck(at: LoadWorld.march + .days(30), reason: .beforeExpiry), historyCursor: nil,
            sourceVersion: LoadWorld.march, occurredAt: LoadWorld.march, answerHash: "h")
    }

    /// A database that only the test reads: a vacuum that summarises an index counts as a reader, too.
    private static func with(_ body: (LoadWorld) async throws -> Void) async throws {
        try await LoadWorld.with { world in
            try await world.connection.script(
                """
                do $$
                declare
                    name text;
                begin
                    for name in select oid::regclass from pg_class where relnamespace = 'subledger'::regnamespace and relkind = 'r'
                    loop
                        execute format('alter table %s set (autovacuum_enabled = false)', name);
                    end loop;
                end
                $$
                """)
            try await body(world)
        }
    }

    /// Rows that were read of each table that grows with what is held, without an index or by way of one.
    private func rowsRead(_ world: LoadWorld) async throws -> [String: Int] {
        try await world.connection.script("select pg_stat_force_next_flush()")
        let lines = try await world.connection.lines(
            """
            select relname, seq_tup_read + coalesce(
                (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0)
            from pg_stat_user_tables t
            where schemaname = 'subledger' and relname not in ('apps', 'runs', 'run_chunks')
            """)
        return try lines.reduce(into: [:]) { counts, line in
            let columns = line.split(separator: "|")
            let read: Int = try #require(Int(columns[1]))
            counts[String(columns[0])] = read
        }
    }

    /// What a step for twenty subscriptions reads whole: more than a few rows of a table of ten thousand.
    private func tablesReadWhole(_ world: LoadWorld, by step: () async throws -> Void) async throws -> [String] {
        let before = try await rowsRead(world)
        try await step()
        let after = try await rowsRead(world)
        return after.filter { $0.value - before[$0.key, default: 0] > 1_000 }.keys.sorted()
    }

    @Test func `with ten thousand subscriptions stored, a chunk of a run reads no table whole`() async throws {
        try await Self.with { world in
            try await world.night(1, Self.rows(of: Self.stored))
            try await world.open(2, at: LoadWorld.march + .days(2), chunks: 2)
            try await world.load(2, chunk: 1, Self.rows(of: Self.asked, linked: false))
            let again = try await tablesReadWhole(world) {
                try await world.load(2, chunk: 2, Self.rows(of: Self.asked))
            }
            #expect(again == [])
        }
    }

    /// The night itself has loaded the ten thousand and asked them again; the chunk's answers are known but for one.
    @Test func `a chunk of known answers reads no table whole`() async throws {
        try await Self.with { world in
            try await world.open(1, at: LoadWorld.march, chunks: 4)
            try await world.load(1, chunk: 1, Self.rows(of: Self.stored))
            var again = Self.rows(of: Self.stored)
            for key in again.answers.keys {
                again.answers[key] = [ArchivedDocument(endpoint: "statuses", body: "{}", answerHash: "again")]
            }
            try await world.load(1, chunk: 2, again)
            let evidence = "select is_evidence, count(*) from subledger.store_answers group by 1 order by 1"
            #expect(try await world.connection.lines(evidence) == ["false|10000", "true|10000"])
            try await world.load(1, chunk: 3, Self.rows(of: Self.asked, linked: false))
            var later = Self.rows(of: Self.asked, linked: false)
            later.subscriptions = Self.asked.map { Self.state(of: SubscriptionKey($0), autoRenew: false) }
            later.answers[SubscriptionKey(Self.asked.lowerBound)]?.append(
                ArchivedDocument(endpoint: "history", body: "{}", answerHash: "another"))
            let read = try await tablesReadWhole(world) { try await world.load(1, chunk: 4, later) }
            #expect(read == [])
            let ended = "select count(*) from subledger.subscriptions where not auto_renew"
            #expect(try await world.connection.lines(ended) == ["20"])
        }
    }

    @Test func `what is stored for a chunk is found by key`() async throws {
        try await Self.with { world in
            try await world.night(1, Self.rows(of: Self.stored))
            let keys = PostgresValue.intArray(Array(Self.stored.prefix(20)))
            let read = try await tablesReadWhole(world) {
                let known = try await world.connection.query(SQL.Extract.listKnownPeriods, [keys])
                #expect(known.count == 20)
                let earlier = try await world.connection.query(SQL.Extract.listEarlierPeriods, [keys])
                #expect(earlier.count == 4)
            }
            #expect(read == [])
        }
    }
}
