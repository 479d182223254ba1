// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Which chunk a worker takes: of its apps alone, those first that were planned first.
@Suite struct ClaimTests {
    private static func claim(
        _ connection: PostgresConnection, by worker: String, of apps: [String]
    ) async throws -> [Int64] {
        try await connection.query(
            SQL.Pipeline.claimChunk, [.int(1), .textArray(apps), .text(worker), .int(60)]
        ).map { try $0.int64("chunk_no") }
    }

    private static func with(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-03-09', '2026-03-10 02:15Z', 'test', 1);
                insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                select 1, chunk_no, case when chunk_no <= 3 then 'acme-ios' else 'acme-receipts' end, '{1}'
                from generate_series(1, 4) as chunk_no
                """)
            try await body(connection)
        }
    }

    @Test func `a worker of one app takes its chunks, one of all apps those that are left`() async throws {
        try await Self.with { connection in
            var claimed: [[Int64]] = []
            for (worker, apps) in [
                ("a", ["acme-receipts"]), ("b", ["acme-receipts"]), ("c", ["acme-ios"]),
                ("d", ["acme-ios", "acme-receipts"]), ("e", ["acme-ios", "acme-receipts"]), ("f", ["acme-ios"]),
            ] {
                claimed.append(try await Self.claim(connection, by: worker, of: apps))
            }
            #expect(claimed == [[4], [], [1], [2], [3], []])
        }
    }

    @Test func `a claim whose answer was lost is made again, and raises the fence again`() async throws {
        try await Self.with { connection in
            let claims = [
                try await Self.claim(connection, by: "a", of: ["acme-receipts"]),
                try await Self.claim(connection, by: "a", of: ["acme-receipts"]),
                try await Self.claim(connection, by: "b", of: ["acme-receipts"]),
            ]
            #expect(claims == [[4], [4], []])
            let chunk = "select generation, leased_by from subledger.run_chunks where chunk_no = 4"
            #expect(try await connection.lines(chunk) == ["2|a"])
        }
    }
}
