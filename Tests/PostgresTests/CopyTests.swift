// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@Suite(.hangLimit) struct CopyTests {
    static let table = Statement.test("create table public.t (id bigint primary key, word text)")
    static let copy = Statement.test("copy public.t (id, word) from stdin")

    private func rowCount(_ connection: PostgresConnection) async throws -> Int {
        try #require(try await connection.query(.test("select count(*) as n from public.t")).first).int("n")
    }

    @Test func `two hundred thousand rows arrive, each as it was written`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            let count = try await connection.copyIn(Self.copy) { writer in
                for id in 1...200_000 { try await writer.write(row: [.int(Int64(id)), .text("row\t\(id)")]) }
            }
            #expect(count == 200_000)
            let sql = "select count(*) as n, sum(id) as s, bool_and(word = e'row\\t' || id) as same from public.t"
            let row = try #require(try await connection.query(.test(sql)).first)
            #expect(try row.int("n") == 200_000 && row.int64("s") == 20_000_100_000 && row.bool("same"))
        }
    }

    @Test func `a COPY of no rows is fine`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            #expect(try await connection.copyIn(Self.copy) { _ in } == 0)
            #expect(try await rowCount(connection) == 0)
        }
    }

    @Test func `a text with U+0000 is refused by row and column; left out, the other rows go in`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            var refusal: PostgresError?
            let count = try await connection.copyIn(Self.copy) { writer in
                try await writer.write(row: [1, "one"])
                do throws(PostgresError) { try await writer.write(row: [2, "t\0wo"]) } catch { refusal = error }
                try await writer.write(row: [3, "three"])
            }
            #expect(refusal?.code == .badValue && refusal?.disposition == .setAside)
            #expect(refusal?.description.contains("row 2, column 2") == true)
            #expect(try await (count, rowCount(connection)) == (2, 2))
        }
    }

    @Test func `a COPY whose writer throws leaves no rows, and the connection goes on`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            let error = await thrown(Deliberate.self) {
                _ = try await connection.copyIn(Self.copy) { writer in
                    for id in 1...50_000 { try await writer.write(row: [.int(Int64(id)), "sent already"]) }
                    throw Deliberate()
                }
            }
            #expect(error == Deliberate())
            #expect(try await rowCount(connection) == 0)
        }
    }

    @Test func `a row that the server refuses fails the COPY with the constraint but not the value`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            let error = await thrown(PostgresError.self) {
                _ = try await connection.copyIn(Self.copy) { writer in
                    try await writer.write(row: [4711, "first"])
                    try await writer.write(row: [4711, "secret-token"])
                }
            }
            #expect(error?.code == .constraintViolated && error?.constraint == "t_pkey")
            #expect(error?.description.contains("4711") == false && error?.description.contains("secret") == false)
            #expect(try await rowCount(connection) == 0)
        }
    }

    @Test func `a value of the wrong type in a COPY is not repeated in the error`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            let error = await thrown(PostgresError.self) {
                _ = try await connection.copyIn(Self.copy) { try await $0.write(row: ["secret-token", "x"]) }
            }
            #expect(error?.sqlState == "22P02" && error?.code == .badValue && error?.disposition == .setAside)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
    }

    @Test func `while a COPY runs, the connection refuses other statements and the COPY is not harmed`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            var refusal: PostgresError?
            let count = try await connection.copyIn(Self.copy) { writer in
                try await writer.write(row: [1, "one"])
                refusal = await thrown(PostgresError.self) { try await connection.execute(.test("select 1")) }
                try await writer.write(row: [2, "two"])
            }
            #expect(refusal?.code == .misuse && count == 2)
        }
    }

    @Test func `only COPY FROM STDIN runs as a COPY, and it does not run as a statement`() async throws {
        try await withTestDatabase { connection, _ in
            try await connection.execute(Self.table)
            let notCopy = await thrown(PostgresError.self) {
                _ = try await connection.copyIn(.test("select 1")) { _ in }
            }
            let notStatement = await thrown(PostgresError.self) { try await connection.execute(Self.copy) }
            #expect(notCopy?.code == .misuse && notStatement?.code == .misuse)
            #expect(try await rowCount(connection) == 0)
        }
    }
}
