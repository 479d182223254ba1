// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import Runs

/// A seal and a claim of work come one after the other: a sealed run has no work that somebody is at.
@Suite(.hangLimit) struct SealRaceTests {
    private static let own: [PostgresValue] = [.int(1), .int(1)]
    private static let night = Run(
        id: 1, job: .nightly, now: Instant(micros: 1_773_108_900_000_000), generation: 1, isResumed: false)
    private static let seals = "select seal from subledger.runs"

    private struct Sessions {
        let claiming: PostgresConnection
        let sealing: PostgresConnection
        let watching: PostgresConnection

        func claim() async throws -> [Int64] {
            try await claiming.query(
                SQL.Pipeline.claimChunk, [.int(1), .textArray(["acme-ios"]), .text("a:1:2:x"), .int(60), .null]
            ).map { try $0.int64("chunk_no") }
        }

        func openWork(of apps: [String] = ["acme-ios"]) async throws -> [Int64] {
            let row = try await watching.query(SQL.Pipeline.countOpenWork, [.int(1), .textArray(apps)])[0]
            return [try row.int64("leased"), try row.int64("free")]
        }
    }

    /// A night with one chunk, which is free.
    private static func with(_ body: (Sessions) async throws -> Void) async throws {
        try await withLedgerDatabase { connection, configuration in
            try await connection.script(
                """
                insert into subledger.runs (run_id, job, business_date, logical_now, host, process_id)
                overriding system value values (1, 'nightly', '2026-03-09', '2026-03-10 02:15Z', 'test', 1);
                insert into subledger.run_apps (run_id, app_id) values (1, 'acme-ios');
                insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys) values (1, 1, 'acme-ios', '{1}')
                """)
            let sessions = Sessions(
                claiming: try await PostgresConnection.connect(configuration),
                sealing: try await PostgresConnection.connect(configuration), watching: connection)
            try await body(sessions)
            await sessions.claiming.close()
            await sessions.sealing.close()
        }
    }

    @Test func `a claim that meets a seal waits for it, and has nothing then`() async throws {
        try await Self.with { sessions in
            try await sessions.sealing.script("begin")
            _ = try await sessions.sealing.query(SQL.Pipeline.lockToSeal, Self.own)
            let claiming = Task { try await sessions.claim() }
            try await sessions.watching.waitForWaiters()
            try await sessions.sealing.script("update subledger.runs set seal = 1, sealed_at = now(); commit")
            #expect(try await claiming.value == [])
            #expect(try await sessions.watching.lines("select state from subledger.run_chunks") == ["pending"])
        }
    }

    /// Its leader had looked before the claim, and found nothing to do.
    @Test func `a seal that meets a claim waits for it, and is refused`() async throws {
        try await Self.with { sessions in
            try await sessions.claiming.script("begin")
            #expect(try await sessions.claim() == [1])
            let sealing = Task { try await RunLedger(connection: sessions.sealing).seal(Self.night) }
            try await sessions.watching.waitForWaiters()
            try await sessions.claiming.script("commit")
            let refusal = await #expect(throws: PipelineError.self) { try await sealing.value }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(refusal?.message.contains("hosts are still at 1 of its chunks") == true)
            #expect(try await sessions.watching.lines(Self.seals) == [""])
            try await sessions.watching.script(
                "update subledger.run_chunks set state = 'done', leased_by = null, leased_until = null, changed = 0")
            #expect(try await RunLedger(connection: sessions.sealing).seal(Self.night) == 1)
        }
    }

    /// Both met it dead: one goes on with it, and the other was to close it.
    @Test func `a night that is taken over meanwhile is not closed, and its chunks and apps stay`() async throws {
        try await Self.with { sessions in
            try await sessions.claiming.script(
                "begin; update subledger.runs set leader_generation = 2, leased_until = now() + interval '1 hour'")
            var waiting = RunWaiting()
            waiting.patience = .zero
            let ledger = RunLedger(connection: sessions.sealing, waiting: waiting)
            let now = Self.night.now + .days(1)
            let closing = Task {
                try await ledger.open(
                    .nightly, apps: [AppID("acme-ios")], now: now,
                    businessDate: BusinessDate(lastCompleteDayBefore: now, in: .utc))
            }
            try await sessions.watching.waitForWaiters()
            try await sessions.claiming.script("commit")
            let refusal = await #expect(throws: PipelineError.self) { try await closing.value }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(try await sessions.watching.lines("select state from subledger.run_chunks") == ["pending"])
            #expect(try await sessions.watching.lines("select state from subledger.run_apps") == ["open"])
            #expect(try await sessions.watching.lines("select count(*) from subledger.runs") == ["1"])
        }
    }

    @Test func `what is left to do is leased or free, and of stopped apps only what is leased`() async throws {
        try await Self.with { sessions in
            #expect(try await sessions.openWork() == [0, 1])
            #expect(try await sessions.openWork(of: []) == [0, 0])
            #expect(try await sessions.claim() == [1])
            #expect(try await sessions.openWork() == [1, 0])
            #expect(try await sessions.openWork(of: []) == [1, 0])
            try await sessions.watching.script("update subledger.run_chunks set leased_until = now() - interval '1 s'")
            #expect(try await sessions.openWork() == [0, 1])
        }
    }
}
