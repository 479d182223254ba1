// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Each app has a worker of its own: it takes its own app's chunks before any other's, and helps when there are none left.
@Suite struct ClaimTests {
    @Test func `a worker takes the chunks of its own app first`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-03-09', '2026-03-10 02:15Z', 'test', 1);
                insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                select 1, chunk_no, case when chunk_no <= 3 then 'acme-ios' else 'acme-receipts' end, '{1}'
                from generate_series(1, 4) as chunk_no
                """)
            var claimed: [Int64] = []
            for home in ["acme-receipts", "acme-receipts", "acme-ios", "acme-ios", "acme-ios"] {
                let apps = PostgresValue.textArray(["acme-ios", "acme-receipts"])
                let rows = try await connection.query(
                    SQL.Pipeline.claimChunk, [.int(1), apps, .text("test"), .int(60), .text(home)])
                claimed += try rows.map { try $0.int64("chunk_no") }
            }
            #expect(claimed == [4, 1, 2, 3])
        }
    }
}
