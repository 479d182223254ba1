// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Postgres

@Suite(.hangLimit) struct ErrorTests {
    @Test(
        arguments: [
            ("40001", .serialization, .retry), ("40P01", .deadlock, .retry), ("08006", .connectionLost, .retry),
            ("57P01", .connectionLost, .retry), ("57P02", .connectionLost, .retry), ("57P03", .connectionLost, .retry),
            ("25006", .readOnly, .retry), ("53300", .statementFailed, .retry), ("55P03", .statementFailed, .retry),
            ("53100", .diskFull, .stop), ("22P02", .badValue, .setAside), ("22003", .badValue, .setAside),
            ("23505", .constraintViolated, .setAside), ("23514", .constraintViolated, .setAside),
            ("42P01", .statementFailed, .stop), ("42501", .statementFailed, .stop), ("P0001", .statementFailed, .stop),
            ("57014", .cancelled, .stop), ("XX000", .statementFailed, .stop), ("21000", .statementFailed, .setAside),
            ("44000", .statementFailed, .setAside), ("54000", .statementFailed, .setAside),
            ("54001", .statementFailed, .setAside), ("0A000", .statementFailed, .stop),
        ] as [(String, PostgresError.Code, PostgresError.Disposition)])
    func `the SQLSTATE decides between retry, set aside and stop`(
        state: String, code: PostgresError.Code, disposition: PostgresError.Disposition
    ) async throws {
        try await withTestDatabase { connection, _ in
            let sql = "do $$ begin raise exception 'deliberate' using errcode = '\(state)'; end $$"
            let error = await thrown(PostgresError.self) { try await connection.executeScript(.test(sql)) }
            #expect(error?.sqlState == state && error?.code == code && error?.disposition == disposition)
            #expect(error.flatMap { PostgresError.Disposition($0) } == disposition)
        }
    }

    /// Of a class that says nothing of a record one may be the cause; of the server's, the session's and the statement's never.
    @Test(
        arguments: [
            ("54000", true), ("22P02", true), ("23505", true), ("21000", true), ("P0001", true), ("0A000", true),
            ("27000", true), ("2F002", true), ("38000", true), ("HV000", true), ("42P01", false), ("42501", false),
            ("53100", false), ("53200", false), ("55000", false), ("57014", false), ("57P01", false), ("58030", false),
            ("08006", false), ("40001", false), ("25006", false), ("28000", false), ("3F000", false), ("XX000", false),
            ("XX001", false), ("F0000", false), ("72000", false),
        ])
    func `a record may be the cause of what is not the server's own`(state: String, isPerhaps: Bool) {
        #expect(SQLState(text: state).isPerhapsOfRecord == isPerhaps)
    }

    @Test func `a unique violation names constraint and table, and nothing of the row`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(.test("create table public.t (token text constraint token_once unique)"))
            let insert = Statement(name: "load/insert.sql", text: "insert into public.t values ($1)")
            try await connection.execute(insert, ["purchase-token-1"])
            let error = try #require(
                await thrown(PostgresError.self) { try await connection.execute(insert, ["purchase-token-1"]) })
            #expect(error.constraint == "token_once" && error.table == "t" && error.statement == "load/insert.sql")
            for text in ["\(error)", String(reflecting: error), error.message] {
                #expect(!text.contains("purchase-token-1"))
            }
            #expect(error.description.contains("token_once") && error.description.contains("load/insert.sql"))
        }
    }

    @Test(
        arguments: [
            "do $$ begin raise exception 'general' using detail = 'secret', hint = 'secret', errcode = '23514'; end $$",
            "select 'secret'::bigint", "select 'secret'::timestamptz", "select '{\"secret'::jsonb",
            "select 'sec\"ret\"secret'::uuid",
            "create table public.c (v bigint check (v > 0), w text); insert into public.c values (-1, 'secret')",
        ])
    func `DETAIL, HINT, CONTEXT and values of data exceptions stay out of the error`(sql: String) async throws {
        try await withTestDatabase { connection, _ in
            let error = try #require(
                await thrown(PostgresError.self) { try await connection.executeScript(.test(sql)) })
            #expect(!String(reflecting: error).contains("secret") && !"\(error)".contains("secret"))
            #expect(error.disposition == .setAside)
        }
    }

    @Test func `work that cannot commute fails as serialization and as deadlock`() async throws {
        try await withTestDatabase { first, configuration in
            try await first.executeScript(
                .test("create table public.t (id int, v int); insert into public.t values (1, 0), (2, 0)"))
            let second = try await PostgresConnection.connect(configuration)
            for connection in [first, second] {
                try await connection.executeScript(.test("begin isolation level repeatable read"))
                try await connection.execute(.test("select * from public.t"))
            }
            try await first.executeScript(.test("update public.t set v = 1; commit"))
            let conflict = await thrown(PostgresError.self) {
                try await second.execute(.test("update public.t set v = 2"))
            }
            #expect(conflict?.code == .serialization && conflict?.disposition == .retry)
            try await second.execute(.test("rollback"))

            let update = Statement.test("update public.t set v = v + 1 where id = $1")
            try await first.execute(.test("begin"))
            try await second.execute(.test("begin"))
            try await first.execute(update, [1])
            try await second.execute(update, [2])
            async let one = thrown(PostgresError.self) { try await first.execute(update, [2]) }
            async let two = thrown(PostgresError.self) { try await second.execute(update, [1]) }
            let losers = await [one, two].compactMap(\.self)
            #expect(losers.map(\.code) == [.deadlock] && losers.first?.disposition == .retry)
        }
    }
}
