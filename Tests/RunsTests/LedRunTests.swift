// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
@testable import Runs
import TestSupport
import Testing

/// How a run that breaks off comes to its end.
@Suite(.hangLimit) struct LedRunTests {
    /// A server that has stopped answering, without a word, when the run is to be written down as failed.
    private struct SilentAccess: DatabaseAccess {
        let connection: PostgresConnection

        func use<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
            try await body(connection)
        }

        func useOnce<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
            try await Task { try await Task.sleep(for: .seconds(36_000)) }.value
            return try await body(connection)
        }

        func name(_ name: SessionName) async throws {}
    }

    private struct Broken: Error {}

    @Test func `a run that breaks off ends, though the server says nothing any more`() async throws {
        try await withLedgerDatabase { connection, database in
            let now = Instant(micros: 1_773_108_900_000_000)
            let request = RunRequest(
                .import, apps: [AppID("acme-ios")], now: now,
                businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            let logger = RecordedLog().logger
            let sessions = DatabaseSessions(database, limit: 1, logger: logger)
            let led = LedRun(
                access: SilentAccess(connection: connection), leases: sessions, leaseSeconds: 60,
                waiting: RunWaiting(), partingLimit: .milliseconds(50), logger: logger)
            let work: @Sendable (Run) async throws -> RunEnding<Int> = { _ in throw Broken() }
            await #expect(throws: Broken.self) { try await led.run(request, ifBroken: .resumable, work: work) }
            let outcomes = try await connection.lines("select outcome from subledger.runs where job = 'import'")
            #expect(outcomes == ["running"])
            await sessions.close()
        }
    }

    /// As where a standby that lagged behind took the server's place: the chunk that was done is leased again.
    @Test func `a night whose chunk is not done by its seal stays open, unsealed, for the next start`() async throws {
        try await withLedgerDatabase { connection, database in
            let now = Instant(micros: 1_773_108_900_000_000)
            let request = RunRequest(
                .nightly, apps: [AppID("acme-ios"), AppID("acme-receipts")], now: now,
                businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            let logger = RecordedLog().logger
            let sessions = DatabaseSessions(database, limit: 1, logger: logger)
            let led = LedRun(sessions: sessions, leaseSeconds: 60, waiting: RunWaiting(), logger: logger)
            let refusal = await #expect(throws: PipelineError.self) {
                try await led.run(request, ifBroken: .resumable) { run in
                    try await sessions.use { session in
                        // What is left of a stopped app is as it should be.
                        try await session.script(
                            """
                            insert into subledger.run_chunks (
                                run_id, chunk_no, app_id, subscription_keys, state, leased_by, leased_until
                            )
                            values (\(run.id), 1, 'acme-ios', '{7}', 'leased', 'own', now());
                            insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                            values (\(run.id), 2, 'acme-receipts', '{8}');
                            update subledger.run_apps set state = 'stopped', reason = 'down', closed_at = now()
                            where app_id = 'acme-receipts'
                            """)
                    }
                } conclude: { _, _, _, _ in
                    RunEnding((), outcome: .done, counts: [:])
                }
            }
            #expect(refusal?.kind == .workLost)
            #expect(refusal?.message.contains("had loaded 1 chunk that") == true)
            let run = "select outcome, seal is null as is_open, leased_until is null as is_free from subledger.runs"
            let left = try await connection.lines(run)
            #expect(left == ["running|true|true"])
            await sessions.close()
        }
    }

    /// As where a standby that lagged behind took the server's place: the folder of the reports has an issue of a seal that was lost.
    @Test func `a run is sealed above the seals that are found outside of the database, and so is what follows`()
        async throws
    {
        try await withLedgerDatabase { connection, database in
            let log = RecordedLog()
            var seals: [Int64] = []
            for (found, day) in [(Int64(41), Int64(0)), (7, 1), (0, 2)] {
                let now = Instant(micros: 1_773_108_900_000_000) + .days(day)
                var request = RunRequest(
                    .nightly, apps: [AppID("acme-ios")], now: now,
                    businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
                request.lastSealFound = { _ in found }
                let seal = try await RunLedger(connection: connection).withRun(
                    request, on: database, logger: log.logger, ifBroken: .resumable
                ) { _ in
                } conclude: { _, seal, _ in
                    RunEnding(seal, outcome: .done, counts: [:])
                }
                seals.append(seal)
            }
            #expect(seals == [42, 43, 44])
            #expect(log.lines.filter { $0.contains("was given, and this database knows nothing of it") }.count == 1)
        }
    }

    /// Its leader died before the issue was there; a number that was raised above it makes it no older.
    @Test func `a report that was sealed last is resumed, however high the next seal is`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let now = Instant(micros: 1_773_108_900_000_000)
            let request = RunRequest(
                .report, apps: [AppID("acme-ios")], now: now,
                businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            let dead = try await ledger.open(request)
            _ = try await ledger.seal(dead)
            try await ledger.raiseSeals(above: 9, RecordedLog().logger)
            await ledger.leave(dead, because: Broken())
            let again = RunRequest(.report, apps: request.apps, now: now, businessDate: request.businessDate)
            let resumed = try await ledger.open(again)
            #expect(resumed.id == dead.id && resumed.isResumed)
        }
    }

    /// The first job that seals may be one that never looks into the folder of the reports.
    @Test func `on another timeline of the server seals pass over those that may be lost, once`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            var seals: [Int64] = []
            for timeline in [nil, "00000000", nil] {
                if let timeline {
                    try await connection.script("update subledger.settings set timeline = '\(timeline)'")
                }
                let now = Instant(micros: 1_773_108_900_000_000)
                let run = try await ledger.open(
                    .intake, apps: [AppID("acme-ios")], now: now,
                    businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
                seals.append(try await ledger.seal(run))
                try await ledger.finish(run, outcome: .done, counts: [:])
            }
            #expect(seals == [1, 10_002, 10_003])
        }
    }
}
