// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Which chunk a worker takes: of its apps alone, those first that were planned first.
@Suite struct ClaimTests {
    private static func claim(
        _ connection: PostgresConnection, by worker: String, of apps: [String] = ["acme-ios"], leading: Int64? = nil
    ) async throws -> [Int64] {
        try await connection.query(
            SQL.Pipeline.claimChunk, [.int(1), .textArray(apps), .text(worker), .int(60), PostgresValue(leading)]
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

    @Test(arguments: ["seal = 1, sealed_at = now()", "outcome = 'failed', finished_at = now()"])
    func `nothing of a run that is sealed or over is claimed`(change: String) async throws {
        try await Self.with { connection in
            try await connection.script("update subledger.runs set \(change)")
            #expect(try await Self.claim(connection, by: "a") == [])
            #expect(try await Self.claimableApps(connection) == [])
        }
    }

    @Test func `a leader whose run was taken over claims nothing, and who follows whichever leads does`() async throws {
        try await Self.with { connection in
            try await connection.script("update subledger.runs set leader_generation = 2")
            #expect(try await Self.claim(connection, by: "stale", leading: 1) == [])
            #expect(try await Self.claimableApps(connection, leading: 1) == [])
            #expect(try await Self.claimableApps(connection, leading: 2) == ["acme-ios", "acme-receipts"])
            #expect(try await Self.claim(connection, by: "leader", leading: 2) == [1])
            #expect(try await Self.claim(connection, by: "follower") == [2])
        }
    }

    private static func claimableApps(
        _ connection: PostgresConnection, leading: Int64? = nil
    ) async throws -> [String] {
        let apps = PostgresValue.textArray(["acme-ios", "acme-receipts"])
        return try await connection.query(SQL.Pipeline.listClaimableApps, [.int(1), apps, PostgresValue(leading)])
            .map { try $0.string("app_id") }
    }

    /// A check whose rows the database refused is due still, and its chunk done.
    @Test func `only who leads an open run has its undecided checks asked again`() async throws {
        try await Self.with { connection in
            try await connection.script(
                """
                select subledger.register('acme-ios', '1001');
                update subledger.run_chunks set state = 'done', expected = 0, staged = 0, changed = 0;
                insert into subledger.run_plan (run_id, subscription_key, chunk_no)
                select 1, subscription_key, 2 from subledger.subscriptions;
                update subledger.runs set leader_generation = 2
                """)
            let reopened = "select chunk_no from subledger.run_chunks where state = 'pending'"
            let reopen: (Int64) async throws -> Void = { generation in
                try await connection.execute(
                    SQL.Pipeline.reopenUndecided,
                    [.int(1), .textArray(["acme-ios"]), .timestamp(micros: 1_773_108_900_000_000), .int(generation)])
            }
            try await reopen(1)
            #expect(try await connection.lines(reopened) == [])
            try await reopen(2)
            #expect(try await connection.lines(reopened) == ["2"])
            try await connection.script(
                """
                update subledger.run_chunks set state = 'done', remaining_keys = null where chunk_no = 2;
                update subledger.runs set seal = 1, sealed_at = now()
                """)
            try await reopen(2)
            #expect(try await connection.lines(reopened) == [])
        }
    }
}
