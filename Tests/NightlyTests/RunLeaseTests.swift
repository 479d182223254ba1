// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Nightly
import Notifications
import Operations
import Postgres
import Stores
import TestSupport
import Testing

@testable import Runs

/// A leader is alive as long as its lease: it is held to the end of the run, over a renewal that fails, and no longer.
@Suite(.serialized, .hangLimit) struct RunLeaseTests {
    /// Long enough for a slow machine to renew within, short enough to wait for.
    private static let seconds: Int64 = 9
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let app = AppID("acme-ios")
    private static let date = BusinessDate(lastCompleteDayBefore: now, in: .gmt)
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func open(_ job: Run.Job, _ connection: PostgresConnection) async throws -> Run {
        var waiting = RunWaiting()
        waiting.patience = .zero
        return try await RunLedger(connection: connection, leaseSeconds: seconds, waiting: waiting)
            .open(job, apps: [app], now: now, businessDate: date)
    }

    /// Waits until the lease of the only open run ends later than it does now, and says so.
    private static func waitForRenewal(_ connection: PostgresConnection) async throws {
        let lease = "select leased_until from subledger.runs where outcome = 'running'"
        let before = try await connection.lines(lease)
        while try await connection.lines(lease) == before { try await Task.sleep(for: .milliseconds(50)) }
    }

    @Test func `a renewal whose connection breaks is made again on another one`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await Self.open(.nightly, connection)
            let isAcquired = try await RunLease.maintain(
                run, on: DatabaseSessions(database, logger: Self.logger), seconds: Self.seconds, logger: Self.logger
            ) {
                try await Self.waitForRenewal(connection)
                try await connection.script(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                        + "where datname = current_database() and pid <> pg_backend_pid()")
                try await Self.waitForRenewal(connection)
                return true
            }
            #expect(isAcquired)
        }
    }

    @Test func `work stops when its lease cannot be renewed until it ends`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await Self.open(.nightly, connection)
            try await connection.script(
                "update pg_database set datallowconn = false where datname = current_database()")
            await #expect(throws: PostgresError.self) {
                try await RunLease.maintain(
                    run, on: DatabaseSessions(database, logger: Self.logger), seconds: 2, logger: Self.logger
                ) {
                    try await Task.sleep(for: .seconds(3_600))
                }
            }
        }
    }

    @Test func `work stops when another process leads its run`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await Self.open(.nightly, connection)
            try await connection.script("update subledger.runs set leader_generation = leader_generation + 1")
            let stopped = await #expect(throws: PipelineError.self) {
                try await RunLease.maintain(
                    run, on: DatabaseSessions(database, logger: Self.logger), seconds: 2, logger: Self.logger
                ) {
                    try await Task.sleep(for: .seconds(3_600))
                }
            }
            #expect(stopped?.message.contains("taken over") == true && stopped?.kind == .alreadyRunning)
        }
    }

    @Test func `a run that has ended is not taken for lost by a renewal that comes after`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await Self.open(.nightly, connection)
            let result = try await RunLease.maintain(
                run, on: DatabaseSessions(database, logger: Self.logger), seconds: 2, logger: Self.logger
            ) {
                try await RunLedger(connection: connection).finish(run, outcome: .done, counts: [:])
                while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(20)) }
                return 7
            }
            #expect(result == 7)
        }
    }

    @Test
    func `a night has its lease until its report is written: notifications meanwhile find it running and are refused`()
        async throws
    {
        try await Self.expectLease { database, _, directory in
            var options = NightlyOptions(now: Self.now, reportDirectory: directory, timeZone: .utc)
            options.leaseSeconds = Self.seconds
            let store = ReportingStore(tellings: [StoreEvents(readUntil: Self.now, items: [])])
            let sessions = DatabaseSessions(database, logger: Self.logger)
            let night = NightlyRun(
                sessions: sessions, apps: [store.app], options: options, logger: Self.logger, progress: NoProgress(),
                listening: StoreListener(sessions: sessions, logger: Self.logger).observe)
            let summary = try await night.run()
            #expect(summary.outcome == .done)
        }
    }

    @Test func `a report has the lease of its run until it is written`() async throws {
        try await Self.expectLease { database, _, directory in
            let job = ReportJob(
                sessions: DatabaseSessions(database, logger: Self.logger), logger: Self.logger,
                leaseSeconds: Self.seconds)
            _ = try await job.run(ReportJob.Options(now: Self.now, directory: directory, timeZone: .utc))
        }
    }

    /// Holds the job where it writes its report, for longer than its lease, and tries to begin to read notifications meanwhile.
    private static func expectLease(
        of job: @Sendable @escaping (PostgresConfiguration, PostgresConnection, String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            try await withTestDatabase { connection, database in
                _ = try await Migrator(connection: connection, logger: logger).migrate()
                try await connection.script(
                    "insert into subledger.apps (app_id, store) values ('acme-ios', 'google_play')")
                try await connection.script("begin; lock table marts.revenue_daily in access exclusive mode")
                let other = try await PostgresConnection.connect(database)
                let working = Task { try await job(database, other, directory + "/reports") }
                let waiters =
                    "select 1 from pg_locks where not granted "
                    + "and database = (select oid from pg_database where datname = current_database())"
                while try await connection.lines(waiters).isEmpty {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await connection.script("select pg_sleep(\(seconds) + 1)")
                let refused = try await PostgresConnection.connect(database)
                let refusal = await #expect(throws: PipelineError.self) { try await open(.notifications, refused) }
                #expect(refusal?.kind == .alreadyRunning)
                try await connection.script("commit")
                try await working.value
                #expect(try await connection.lines("select outcome from subledger.runs") == ["done"])
                await refused.close()
                await other.close()
            }
        }
    }
}

private struct NoProgress: NightProgress {
    func planned(app: AppID, due: Int) {}
    func advanced(app: AppID, by count: Int) {}
    func finished() {}
}
