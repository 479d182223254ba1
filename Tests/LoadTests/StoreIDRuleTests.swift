// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import TestSupport
import Testing

/// `register` has the rule of imports and inboxes: both are asked about the same texts.
@Suite struct StoreIDRuleTests {
    private static let texts = [
        "1", "200000000000001", "99999999999999999999", "0200000000000001", "200000000000001.0", "2.0e14", "2E+14",
        "2,00E+14",
        "'200000000000001", "=\"200000000000001\"", "200,000,000,000,001", "200 000 000 000 001", "200’000’000", "abc",
        "receipt-1",
        "123456789012345678901", "-5", "12a", "abcde", "opaque-token-0001", "GPA.3345-1234-5678-90123", "gpa.1..0",
        "12999763169054705758.1375794066587622", "abcd", "a b c d e", "opaque-token-例", "='x'", "'opaque-token",
        "1.2E+15",
        String(repeating: "x", count: 1_950), String(repeating: "x", count: 2_001),
        " \u{FEFF}200000000000001\u{200B}\t",
        "\u{3000}opaque-token-0001\u{A0}", String(repeating: "1", count: 60) + "." + String(repeating: "2", count: 60),
        String(repeating: "1", count: 60) + "e5",
    ]

    @Test(arguments: [StoreKind.appStore, .googlePlay])
    func `the rule in SQL is the one of imports`(store: StoreKind) async throws {
        try await withLedgerDatabase { connection, _ in
            for text in Self.texts {
                let rows = try await connection.query(
                    Statement(
                        name: "fault",
                        text:
                            "select coalesce(subledger.store_id_fault($1::text, subledger.trimmed($2::text)), 'none') as fault, "
                            + "subledger.trimmed($2::text) as id"),
                    [.text(store.rawValue), .text(text)])
                let row = try #require(rows.first)
                let (fault, id) = (try row.string("fault"), try row.string("id"))
                let expected: Result<String, StoreID.Fault>
                do throws(StoreID.Fault) {
                    expected = .success(try StoreID.checked(text, of: store))
                } catch {
                    expected = .failure(error)
                }
                switch expected {
                case .success(let trimmed): #expect(fault == "none" && id == trimmed, "\(text)")
                case .failure(let refusal): #expect(fault == refusal.reason, "\(text)")
                }
            }
        }
    }

    @Test func `the countries of register are those of imports`() async throws {
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let codes = letters.flatMap { first in letters.map { first + $0 } }
        try await withLedgerDatabase { connection, _ in
            let known = try await connection.lines(
                "select code from unnest($1::text[]) code where subledger.is_country(code) order by code",
                [.textArray(codes)])
            #expect(known == codes.filter { Country.code($0) != nil } && known.count == 250)
        }
    }

    @Test func `register refuses what is no id and no receipt, and keys the trimmed text`() async throws {
        try await withLedgerDatabase { connection, _ in
            for call in [
                "'acme-ios', 'GPA.1'", "'acme-receipts', '1', receipt => 'not base64'", "'acme-ios', ' '",
                "'acme-ios', '2', country => 'UK'",
            ] {
                let refusal = await #expect(throws: PostgresError.self) {
                    try await connection.script("select subledger.register(\(call))")
                }
                #expect(["22023", "23502"].contains(refusal?.sqlState ?? ""), "\(call)")
            }
            // The published vector, whatever white space is around it.
            let key = try await connection.lines("select subledger.register('acme-ios', E' 1000000481802759\\n')")
            let stored = try await connection.lines("select store_key from subledger.subscriptions")
            #expect(key == ["7928393119289343153"] && stored == ["1000000481802759"])
        }
    }
}
