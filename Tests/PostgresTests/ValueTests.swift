// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

@Suite("Values go to the server and come back", .hangLimit)
struct ValueTests {
    static let texts = [
        "", " ", "plain", "tab\tnewline\nreturn\r", "back\\slash \\N \\. \\x41", "quotes ' \" {a,b} NULL",
        "日本語 ± 🧾 e\u{301}",
        "\"\u{301}", "\u{1}\u{8}\u{b}\u{c}\u{7f}", "$1; drop table x; --", "\\.",
    ]

    static let values: [(PostgresValue, type: String)] =
        texts.map { (.text($0), "text") } + [
            (.int(0), "bigint"), (.int(.min), "bigint"), (.int(.max), "bigint"), (.bool(true), "boolean"),
            (.bool(false), "boolean"), (.bytes([]), "bytea"), (.bytes([0, 1, 0x5c, 0x0a, 0xff]), "bytea"),
            (.date("2026-02-28"), "date"), (.null, "text"), (.json(#"{"a":"\\ \" \t é"}"#), "json"),
            (.intArray([]), "bigint[]"), (.intArray([1, -2, .max]), "bigint[]"), (.textArray([]), "text[]"),
            (.textArray(["", nil, "NULL", "null", "a,b", "{}", "q\"\\\t\n", "日本"]), "text[]"),
            (.documentArray([]), "text[]"), (.documentArray(["only one"]), "text[]"),
            (.documentArray(["", nil, "NULL", "null", "a,b", "{}", "q\"\\\t\n", "日本"]), "text[]"),
            (.timestamp(micros: .min), "timestamptz"), (.timestamp(micros: .max), "timestamptz"),
            (.timestamp(micros: 0), "timestamptz"), (.timestamp(micros: -1), "timestamptz"),
            (.timestamp(micros: 1_795_234_861_000_001), "timestamptz"),
        ]

    /// Reads a column as the kind of value that was put in.
    private func read(_ row: PostgresRow, like value: PostgresValue) throws -> PostgresValue {
        switch value {
        case .null: PostgresValue(try row.optionalString("v"))
        case .text: .text(try row.string("v"))
        case .int: .int(try row.int64("v"))
        case .bool: .bool(try row.bool("v"))
        case .bytes: .bytes(try row.bytes("v"))
        case .timestamp: .timestamp(micros: try row.timestampMicros("v"))
        case .date: .date(try row.string("v"))
        case .intArray: .intArray(try row.int64Array("v"))
        case .textArray: .textArray(try row.textArray("v"))
        case .documentArray: .documentArray(try row.textArray("v"))
        case .json: .json(try row.json("v"))
        }
    }

    @Test func `every value is the same after a round trip as a parameter`() async throws {
        try await withTestDatabase { connection, _ in
            for (value, type) in Self.values {
                let rows = try await connection.query(.test("select $1::\(type) as v"), [value])
                let read = try read(try #require(rows.first), like: value)
                #expect(read == value, "\(type)")
            }
        }
    }

    @Test func `every value is the same after a round trip through COPY`() async throws {
        try await withTestDatabase { connection, _ in
            for (value, type) in Self.values {
                try await connection.executeScript(
                    .test("drop table if exists public.t; create table public.t (n bigint, v \(type))"))
                let count = try await connection.copyIn(.test("copy public.t (n, v) from stdin")) { writer in
                    try await writer.write(row: [1, value])
                }
                let rows = try await connection.query(.test("select v from public.t"))
                #expect(count == 1 && rows.count == 1)
                let read = try read(try #require(rows.first), like: value)
                #expect(read == value, "\(type)")
            }
        }
    }

    @Test func `the server reads the texts as the values they represent`() async throws {
        try await withTestDatabase { connection, _ in
            let sql = """
                select $1::timestamptz = '2026-03-29 02:30:00.5+01'::timestamptz as instant, length($2::text) as length,
                    $3::text is null and $4::text is not null as nulls, ($5::text[])[3] is null as element,
                    $6::timestamptz = '0044-03-15 12:00:00+00 BC'::timestamptz as ides,
                    $7::bytea = '\\xdeadbeef' as bytes
                """
            let parameters: [PostgresValue] = [
                .timestamp(micros: 1_774_747_800_500_000), "日本語🧾", nil, "", .textArray(["a", "NULL", nil]),
                .timestamp(micros: -63_517_780_800_000_000), .bytes([0xde, 0xad, 0xbe, 0xef]),
            ]
            let row = try #require(try await connection.query(.test(sql), parameters).first)
            #expect(try row.bool("instant") && row.bool("nulls") && row.bool("element"))
            #expect(try row.bool("ides") && row.bool("bytes"))
            #expect(try row.int("length") == 4)
        }
    }

    @Test(
        arguments: [
            ("epoch", 0), ("1969-12-31 23:59:59.999999+00", -1), ("2000-02-29 00:00:00+00", 951_782_400_000_000),
            ("2100-03-01 00:00:00+00", 4_107_542_400_000_000), ("0001-01-01 00:00:00+00", -62_135_596_800_000_000),
            ("2026-11-01 01:30:00-04", 1_793_511_000_000_000), ("9999-12-31 23:59:59+00", 253_402_300_799_000_000),
        ] as [(String, Int64)])
    func `instants that the server prints are read to the microsecond`(text: String, micros: Int64) async throws {
        try await withTestDatabase { connection, _ in
            let row = try #require(
                try await connection.query(.test("select $1::text::timestamptz as v"), [.text(text)]).first)
            #expect(try row.timestampMicros("v") == micros)
        }
    }

    @Test func `a missing, NULL or unreadable column is an error that names column, type and statement`() async throws {
        try await withTestDatabase { connection, _ in
            let row = try #require(
                try await connection.query(.test("select null::bigint as gap, 'secret-token' as word")).first)
            let unknown = await thrown(PostgresError.self) { _ = try row.optionalInt64("other") }
            let null = await thrown(PostgresError.self) { _ = try row.int64("gap") }
            let wrong = await thrown(PostgresError.self) { _ = try row.optionalInt64("word") }
            #expect(try row.optionalInt64("gap") == nil)
            for (error, column) in [(unknown, "other"), (null, "gap"), (wrong, "word")] {
                #expect(error?.code == .decoding && error?.disposition == .stop)
                #expect(error?.description.contains("column \(column)") == true)
                #expect(error?.description.contains("test/statement.sql") == true)
            }
            #expect(wrong?.description.contains("bigint") == true && wrong?.description.contains("secret") == false)
        }
    }

    @Test func `a parameter with U+0000 is refused before it is sent, where C would cut it short`() async throws {
        try await withTestDatabase { connection, _ in
            for value in [
                PostgresValue.text("a\0b"), .json("\0"), .textArray(["x", "\0"]), .documentArray(["x", "\0"]),
            ] {
                let error = await thrown(PostgresError.self) {
                    try await connection.execute(.test("select $1::text, $2::text"), ["fine", value])
                }
                #expect(error?.code == .badValue && error?.disposition == .setAside)
                #expect(error?.description.contains("$2") == true)
            }
        }
    }
}
