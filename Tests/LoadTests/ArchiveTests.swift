// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What caused a row of the books stays; what only said again what was known is cleared after `archive.keep`.
@Suite struct ArchiveTests {
    /// A night's answers by their hashes, beside rows that cite the first of them.
    private static func rows(_ hashes: [String], _ change: (inout ChunkRows) -> Void = { _ in }) -> ChunkRows {
        var rows = ChunkRows()
        rows.answers[LoadWorld.key] = hashes.map {
            ArchivedDocument(endpoint: "statuses", body: "{}", answerHash: $0)
        }
        change(&rows)
        return rows
    }

    /// What a night makes of an answer that shows March, signed on that day: the period, and a state that stays the same.
    private static func period(_ hash: String, signed day: Int64, price: Int64 = 9_990_000) -> ChunkRows {
        rows([hash]) { rows in
            rows.transactions = LoadWorld.period(signed: day) { $0.facts.priceMicros = price }.transactions
            rows.subscriptions = [subscription(hash, day: day)]
        }
    }

    private static func subscription(_ hash: String, day: Int64) -> SubscriptionRow {
        let active = SubscriptionSnapshot(
            state: .active, autoRenew: true, expiresAt: LoadWorld.march + .days(31),
            lastCheckedAt: LoadWorld.march + .days(1))
        return SubscriptionRow(
            key: LoadWorld.key, environment: .production, snapshot: active,
            nextCheck: NextCheck(at: nil, reason: .never), historyCursor: nil,
            sourceVersion: LoadWorld.march + .days(day), occurredAt: LoadWorld.march + .days(day), answerHash: hash)
    }

    private static func stored(_ world: LoadWorld) async throws -> [String] {
        try await world.connection.lines(
            "select answer_hash, is_evidence from subledger.store_answers order by answer_hash")
    }

    @Test func `an answer that caused a version is evidence, and one that said nothing new is not`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.period("h1", signed: 1))
            // Signed later, otherwise equal: nothing changes.
            try await world.night(2, Self.period("h2", signed: 2))
            // Another price: a version, and a ledger entry by it.
            try await world.night(3, Self.period("h3", signed: 3, price: 4_990_000))
            try await world.night(4, Self.rows(["h4"]))
            #expect(try await Self.stored(world) == ["h1|true", "h2|false", "h3|true", "h4|false"])
            // Kept from the third day on: h2 is older and goes, h4 is younger and stays.
            let retainedFrom = LoadWorld.march + .days(3)
            try await world.connection.execute(SQL.Pipeline.clearAnswers, [PostgresValue(retainedFrom)])
            #expect(try await Self.stored(world) == ["h1|true", "h3|true", "h4|false"])
            try await world.connection.execute(SQL.Pipeline.clearAnswers, [PostgresValue(retainedFrom + .days(90))])
            #expect(try await Self.stored(world) == ["h1|true", "h3|true"])
        }
    }

    /// PostgreSQL compresses rows of two kilobytes and more by itself.
    @Test func `an answer of one kilobyte is compressed, within its row, and is read as it was`() async throws {
        let sales = (1...10).map {
            #"{"productId":"com.acme.app.monthly","price":7990,"transactionId":"\#($0)","status":1}"#
        }
        let body = #"{"environment":"Production","rows":[\#(sales.joined(separator: ","))]}"#
        #expect((500..<1_000).contains(body.utf8.count))
        try await LoadWorld.with { world in
            var rows = ChunkRows()
            rows.answers[LoadWorld.key] = [ArchivedDocument(endpoint: "statuses", body: body, answerHash: "h1")]
            try await world.night(1, rows)
            #expect(try await world.connection.lines("select body from subledger.store_answers") == [body])
            #expect(
                try await world.connection.lines(
                    """
                    select pg_column_size(body) < octet_length(body) / 2, pg_column_size(padding) < 50
                    from subledger.store_answers
                    """) == ["true|true"])
            #expect(
                try await world.connection.lines(
                    """
                    select pg_relation_size(reltoastrelid) from pg_class where oid = 'subledger.store_answers'::regclass
                    """) == ["0"])
        }
    }

    @Test func `an answer that is already stored and comes again becomes evidence when it causes something`()
        async throws
    {
        try await LoadWorld.with { world in
            try await world.night(1, Self.rows(["h1"]))
            #expect(try await Self.stored(world) == ["h1|false"])
            try await world.night(2, Self.period("h1", signed: 2))
            #expect(try await Self.stored(world) == ["h1|true"])
            #expect(try await world.connection.lines("select run_id, body from subledger.store_answers") == ["1|{}"])
        }
    }

    /// Another run may clear what this one has recognised: it is sent after all, or its version would have no evidence.
    @Test func `an answer that was cleared after it was recognised is asked for with its body`() async throws {
        try await LoadWorld.with { world in
            try await world.night(1, Self.period("h1", signed: 1))
            try await world.connection.script("delete from subledger.store_answers")
            func archive(_ hash: String, _ body: String?) async throws -> [String] {
                try await world.connection.query(
                    SQL.Load.archiveAnswers,
                    [
                        .intArray([LoadWorld.key.rawValue]), .textArray([hash]), .textArray(["acme-ios"]),
                        .textArray(["statuses"]), .textArray([body]), .int(1), PostgresValue(LoadWorld.march), .int(1),
                    ]
                ).map { try $0.string("answer_hash") }
            }
            #expect(try await archive("h1", nil) == ["h1"])
            #expect(try await archive("of nothing", nil) == [])
            #expect(try await archive("h1", "{}") == [])
            #expect(try await Self.stored(world) == ["h1|true"])
            #expect(try await archive("h1", nil) == [])
        }
    }

    @Test func `an answer that caused a state change is evidence, with all its documents`() async throws {
        try await LoadWorld.with { world in
            for (night, hash) in [(1, "s1"), (2, "s2")] as [(Int64, String)] {
                try await world.night(
                    night,
                    Self.rows([hash, hash + "-history"]) { $0.subscriptions = [Self.subscription(hash, day: night)] })
            }
            let stored = try await Self.stored(world)
            #expect(Set(stored) == ["s1|true", "s1-history|true", "s2|false", "s2-history|false"])
        }
    }

    /// A one-time sale has a key of its own and no subscription: it is evidence of the answer that it was seen in.
    @Test func `an answer that showed a one-time sale is its evidence`() async throws {
        let sale = SubscriptionKey(42)
        try await LoadWorld.with { world in
            try await world.night(1, Self.period("h1", signed: 1))
            for (night, refunded) in [(2, false), (3, false), (4, true)] as [(Int64, Bool)] {
                var rows = Self.period("h\(night)", signed: night)
                rows.transactions +=
                    LoadWorld.period { row in
                        (row.key, row.lineageKey, row.kind, row.facts.end) = (sale, sale, .oneTime, nil)
                        (row.facts.transactionID, row.facts.periodKey) = ("coins", "coins")
                        row.sale.sourceVersion = LoadWorld.march + .days(night)
                        guard refunded else { return }
                        (row.refund.refundedAt, row.refund.refundKind, row.refund.refundMicros) = (
                            LoadWorld.march, .full, 9_990_000
                        )
                    }.transactions
                rows.saleAnswers = [sale: "h\(night)"]
                try await world.night(night, rows)
            }
            #expect(try await Self.stored(world) == ["h1|true", "h2|true", "h3|false", "h4|true"])
            let versions = try await world.connection.lines(
                "select answer_hash from subledger.transaction_versions where transaction_id = 'coins' order by version"
            )
            #expect(versions == ["h2", "h4"])
        }
    }
}
