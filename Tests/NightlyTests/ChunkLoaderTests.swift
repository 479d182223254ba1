// SPDX-License-Identifier: Apache-2.0

import Load
import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// What a chunk's pieces are loaded with, and what becomes of a piece that the database refuses.
@Suite struct ChunkLoaderTests {
    private static func piece(
        _ number: Int64, _ change: (inout CanonicalTransaction) -> Void = { _ in }
    ) -> ChunkRows {
        var rows = ChunkRows()
        rows.asked = [SubscriptionKey(number): 0]
        rows.transactions = [ChunkWorld.period(of: SubscriptionKey(number), change)]
        return rows
    }

    /// A price below zero: no store reports it, and the table refuses it.
    private static func refused(_ number: Int64) -> ChunkRows { piece(number) { $0.facts.priceMicros = -1 } }

    @Test func `B4: a refused row is set aside on whichever attempt it appears, and its neighbours are loaded`()
        async throws
    {
        try await ChunkWorld.with { world in
            try await world.connection.script("create sequence public.tries")
            try await world.whenChangesAreFound(
                """
                if nextval('public.tries') = 1 then
                    raise exception 'somebody was faster' using errcode = 'serialization_failure';
                end if
                """)
            try await world.open(1)
            let pieces = (1...64 as ClosedRange<Int64>).map { $0 == 23 || $0 == 41 ? Self.refused($0) : Self.piece($0) }
            try await world.load(pieces, as: world.chunk(1))
            #expect(try await world.deadLetters() == ["23|load|23514", "41|load|23514"])
            #expect(
                try await world.connection.lines("select count(*), sum(amount_micros) from subledger.ledger_entries")
                    == ["62|619380000"])
            // Found by halves: far fewer rehearsals than there are pieces.
            let tries = try await world.connection.lines("select last_value < 40 from public.tries")
            #expect(tries == ["true"])
        }
    }

    /// Each is fine by itself; only the second is refused beside the first.
    @Test func `two pieces that contradict each other are parted`() async throws {
        try await ChunkWorld.with { world in
            try await world.open(1)
            let again = Self.piece(1) { $0.facts.transactionID = "another" }
            try await world.load([Self.piece(1), Self.piece(2), again], as: world.chunk(1))
            #expect(try await world.deadLetters() == ["1|load|23505"])
            #expect(
                try await world.connection.lines("select transaction_id from subledger.transactions order by 1")
                    == ["t1", "t2"])
        }
    }

    /// A read that did not happen is a failed one: access waits for it, and no date is done without it.
    @Test func `a check whose rows the database refuses has failed`() async throws {
        try await ChunkWorld.with { world in
            let keys = try await world.connection.lines(
                "select subledger.register('acme-ios', id) from (values ('1000000001'), ('1000000002')) as bought (id)"
            ).compactMap(Int64.init)
            try #require(keys.count == 2)
            try await world.open(1)
            var refused = Self.refused(keys[1])
            refused.failuresIfRefused = [
                FailedCheck(
                    key: SubscriptionKey(keys[1]), kind: .unreadable, reason: "refused", message: "It was refused.",
                    failures: 1, nextCheck: NextCheck(at: world.chunk(1).now, reason: .failed))
            ]
            try await world.load([Self.piece(keys[0]), refused], as: world.chunk(1))
            #expect(try await world.deadLetters() == ["\(keys[1])|load|23514"])
            #expect(
                try await world.connection.lines(
                    "select store_key, failures, last_failed_at is not null as has_failed from subledger.subscriptions "
                        + "order by store_key") == ["1000000001|0|false", "1000000002|1|true"])
        }
    }

    /// Letters without repetition: an index compresses what repeats.
    private static let long: String = {
        var (letters, state) = ("", UInt64(41))
        while letters.utf8.count < 12_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            letters += String(state >> 20, radix: 36)
        }
        return letters
    }()

    @Test func `a product id that no index takes is one dead letter, and its neighbours are booked`() async throws {
        try await ChunkWorld.with { world in
            try await world.open(1)
            let pieces = (1...16 as ClosedRange<Int64>).map { number in
                Self.piece(number) { if number == 5 { $0.facts.productID = Self.long } }
            }
            try await world.load(pieces, as: world.chunk(1))
            #expect(try await world.deadLetters() == ["5|load|54000"])
            #expect(try await world.connection.lines("select count(*) from subledger.transactions") == ["15"])
        }
    }

    @Test func `what one row raises of a kind that names no row is found by halves, too`() async throws {
        try await ChunkWorld.with { world in
            try await world.whenChangesAreFound(
                """
                if exists (select from subledger.stage_changes where transaction_id = 't7') then
                    raise exception 'a rule of the owner''s';
                end if
                """)
            try await world.open(1)
            try await world.load((1...8 as ClosedRange<Int64>).map { Self.piece($0) }, as: world.chunk(1))
            #expect(try await world.deadLetters() == ["7|load|P0001"])
            #expect(try await world.connection.lines("select count(*) from subledger.transactions") == ["7"])
        }
    }

    /// The server's own, or the program's: without any row, and with each.
    @Test(arguments: ["true", "exists (select from subledger.stage_changes)"])
    func `what fails whatever the rows are is thrown, and none is set aside`(condition: String) async throws {
        try await ChunkWorld.with { world in
            try await world.whenChangesAreFound("if \(condition) then raise exception 'not today'; end if")
            try await world.open(1)
            let error = await #expect(throws: PostgresError.self) {
                try await world.load([Self.piece(1), Self.piece(2), Self.piece(3)], as: world.chunk(1))
            }
            #expect(error?.sqlState == "P0001")
            #expect(try await world.deadLetters() == [])
            #expect(try await world.connection.lines("select state from subledger.run_chunks") == ["leased"])
        }
    }

    /// An answer of a night that changed nothing but a one-time sale.
    @Test func `an answer that contained nothing new but a sale is retained as the sale's evidence`() async throws {
        let (asked, sale) = (SubscriptionKey(1), SubscriptionKey(2))
        try await ChunkWorld.with { world in
            try await world.open(1)
            var rows = ChunkRows()
            rows.asked = [asked: 0]
            rows.transactions = [ChunkWorld.sale(sale)]
            rows.saleAnswers = [sale: "h1"]
            rows.answers = [asked: [ArchivedDocument(endpoint: "history", body: "{}", answerHash: "h1")]]
            try await world.load([ChunkRows(), rows], as: world.chunk(1))
            try await world.connection.execute(
                SQL.Pipeline.clearAnswers, [PostgresValue(ChunkWorld.march + .days(1_000))])
            #expect(
                try await world.connection.lines(
                    """
                    select version.transaction_id, kept.answer_hash, kept.is_evidence
                    from subledger.transaction_versions version
                    left join subledger.store_answers kept on kept.answer_hash = version.answer_hash
                    """) == ["t2|h1|true"])
        }
    }
}
