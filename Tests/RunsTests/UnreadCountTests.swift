// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Operations
import Postgres
import Runs
import TestSupport
import Testing

/// What could not be read is counted when a run is sealed, whichever run failed to read it: the coverage of its report.
@Suite struct UnreadCountTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let apps = [AppID("acme-ios"), AppID("acme-receipts")]

    /// Subscriptions of `acme-ios`: so many due, so many failed before, so many that cannot be reached and are closed.
    private static func subscriptions(_ connection: PostgresConnection, due: Int, failed: Int, gone: Int) async throws {
        try await connection.script(
            """
            insert into subledger.subscriptions (
                subscription_key, lineage_key, app_id, store, store_key, registered_at, next_check_at, failures)
            select number, number, 'acme-ios', 'app_store', number::text, '2026-01-01',
                case when number <= \(due) then '-infinity' when number <= \(due + failed) then 'infinity' end::timestamptz,
                case when number <= \(due) then 0 else 1 end
            from generate_series(1, \(due + failed + gone)) number
            """)
    }

    private static func run(
        _ job: Run.Job, _ connection: PostgresConnection, after days: Int64, apps: [AppID] = apps,
        _ body: (RunLedger, Run) async throws -> Void = { _, _ in }
    ) async throws {
        let ledger = RunLedger(connection: connection)
        let at = now + .days(days)
        let run = try await ledger.open(
            job, apps: apps, now: at, businessDate: BusinessDate(lastCompleteDayBefore: at, in: .gmt))
        try await body(ledger, run)
        _ = try await ledger.seal(run)
        try await ledger.finish(run, outcome: .done, counts: [:])
    }

    private static func counts(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines("select run_id, app_id, due, unread from subledger.run_apps order by run_id, app_id")
    }

    private static func status(_ connection: PostgresConnection) async throws -> [Int64] {
        try await StatusReport.read(
            on: connection, now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt)
        ).apps.map(\.unread)
    }

    @Test func `what failed stays unread for every later run until it is read`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await Self.subscriptions(connection, due: 0, failed: 3, gone: 2)
            try await Self.run(.nightly, connection, after: 0)
            try await Self.run(.report, connection, after: 1)
            #expect(try await Self.status(connection) == [3, 0])
            try await connection.script("update subledger.subscriptions set failures = 0 where subscription_key = 1")
            try await Self.run(.intake, connection, after: 2, apps: [AppID("acme-ios")])
            #expect(
                try await Self.counts(connection) == [
                    "1|acme-ios||3", "1|acme-receipts||0", "2|acme-ios||3", "2|acme-receipts||0", "3|acme-ios||2",
                ])
            #expect(try await Self.status(connection) == [2, 0])
        }
    }

    /// The store refused the app before anything was planned: all that is due stays due and is unread, for the report that is
    /// asked for later, too; and no longer once a night has read it.
    @Test func `a stopped app retains its true due count`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await Self.subscriptions(connection, due: 4, failed: 1, gone: 0)
            try await Self.run(.nightly, connection, after: 0) { ledger, run in
                try await ledger.stop(AppID("acme-ios"), of: run, because: "the key was refused")
            }
            try await Self.run(.report, connection, after: 1)
            try await Self.run(.nightly, connection, after: 2) { _, run in
                try await connection.script(
                    "update subledger.subscriptions set next_check_at = 'infinity', failures = 0, last_run_id = \(run.id)"
                )
            }
            #expect(
                try await Self.counts(connection) == [
                    "1|acme-ios|4|5", "1|acme-receipts||0", "2|acme-ios||5", "2|acme-receipts||0", "3|acme-ios||0",
                    "3|acme-receipts||0",
                ])
        }
    }

    /// Two of four were asked, one of them again due at once: what was not come to is unread, what was read is not.
    @Test func `a night that was stopped halfway leaves the rest unread`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await Self.subscriptions(connection, due: 4, failed: 0, gone: 0)
            try await Self.run(.nightly, connection, after: 0) { ledger, run in
                try await connection.script(
                    """
                    update subledger.run_apps set due = 4 where app_id = 'acme-ios';
                    insert into subledger.run_chunks (run_id, chunk_no, app_id, subscription_keys)
                    values (\(run.id), 1, 'acme-ios', '{3,4}');
                    update subledger.subscriptions set last_run_id = \(run.id) where subscription_key <= 2;
                    update subledger.subscriptions set next_check_at = 'infinity' where subscription_key = 1
                    """)
                try await ledger.stop(AppID("acme-ios"), of: run, because: "out of time")
            }
            #expect(try await Self.counts(connection).first == "1|acme-ios|4|2")
        }
    }
}
