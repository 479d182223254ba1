// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Runs
import TestSupport
import Testing

@testable import Operations
@testable import subledger

/// What the verdict rests on, read from a run ledger: each fact is there however many intakes came since.
@Suite struct StatusVerdictTests {
    /// 2026-01-08T06:00:00Z.
    private static let now = Instant(micros: 1_767_852_000_000_000)

    /// Nights of the 5th, whose report was issued, and the 6th, which stopped an app, made two dead letters and owes its report; one
    /// of the 7th whose process died; then thirty intakes.
    private static let ledger = """
        insert into subledger.runs (
            job, business_date, logical_now, started_at, finished_at, sealed_at, seal, outcome, host, process_id, leased_until,
            report_due)
        values
            ('nightly', '2026-01-05', '2026-01-06 02:15Z', '2026-01-06', now(), now(), 1, 'done', 'h', 1, null, false),
            ('nightly', '2026-01-06', '2026-01-07 02:15Z', '2026-01-07', now(), now(), 2, 'partial', 'h', 1, null, true),
            ('nightly', '2026-01-07', '2026-01-08 02:15Z', '2026-01-08', null, null, null, 'running', 'h', 1, '2026-01-08', true);
        insert into subledger.run_apps (run_id, app_id, state, closed_at, due, unread) values
            (1, 'acme-ios', 'done', '2026-01-06', 100, 0), (1, 'acme-receipts', 'done', '2026-01-06', 100, 0),
            (2, 'acme-receipts', 'done', '2026-01-07', 100, 0);
        insert into subledger.run_apps (run_id, app_id, state, closed_at, reason, due, unread, failure) values
            (2, 'acme-ios', 'stopped', '2026-01-07 00:01:30', 'App acme-ios stops: why.', 100, 29,
                '{"kind": "credential", "reason": "invalid_grant", "message": "App acme-ios stops: why."}');
        insert into subledger.run_apps (run_id, app_id) values (3, 'acme-ios'), (3, 'acme-receipts');
        insert into subledger.report_issues (run_id, seal, business_date, path, last_seal) values (1, 1, '2026-01-05', '/r', 1);
        insert into subledger.dead_letters (
            app_id, subscription_key, stage, reason, detail, first_run_id, last_run_id, created_at)
        select 'acme-receipts', key, 'fetch', 'why', 'why', key, 2, '2026-01-07' from (values (1), (2)) as of_run (key);
        insert into subledger.runs (
            job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
        select 'intake', '2026-01-07', '2026-01-08', now(), now(), 2 + number, 'done', 'h', 1 from generate_series(1, 30) number
        """

    @Test func `status opens with the verdict, and reports last nights, issues and owed reports behind many intakes`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(Self.ledger)
            let date = try #require(BusinessDate("2026-01-07"))
            let report = try await StatusReport.read(
                on: connection, now: Self.now, businessDate: date, configured: ["acme-ios", "acme-receipts"])
            let text = "\(StatusText(report))"
            let verdict =
                "NOT OK: acme-ios stopped (invalid_grant), finished no night for 51 h, 29 unread, acme-receipts finished no "
                + "night for 27 h, 1 new dead letter, no report for 6 January, run 3 (nightly) is interrupted"
            #expect(text.hasPrefix(verdict + "\n\n"), "\(text)")
            #expect(
                text.contains("acme-ios       2026-01-06     2026-01-07T02:15:00Z  stopped (invalid_grant)  2026-01-05")
            )
            #expect(text.contains("\n  2026-01-06\n"), "\(text)")
            #expect(report.runs.count == 11 && report.runs.last?.outcome == "interrupted")
            #expect(JSONOutput.line(report).contains(#""outcome":"interrupted""#))
        }
    }

    @Test func `a report that a living run writes is under way, and one that is there is not owed`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(Self.ledger)
            try await connection.script(
                """
                update subledger.runs set finished_at = null, outcome = 'running', leased_until = clock_timestamp() + interval '1 h'
                where run_id = 2
                """)
            #expect(try await BatchFacts.read(on: connection).owedReports == [])
            try await connection.script(
                """
                update subledger.runs set finished_at = now(), outcome = 'failed', leased_until = null where run_id = 2;
                insert into subledger.report_issues (run_id, seal, business_date, path, last_seal, failed_checks)
                values (2, 2, '2026-01-06', '/s', 2, 1)
                """)
            let facts = try await BatchFacts.read(on: connection)
            #expect(facts.owedReports == [] && facts.unreconciledDate == "2026-01-06")
            #expect(facts.apps.first { $0.appID == "acme-ios" }?.lastIssue?.businessDate == "2026-01-06")
        }
    }

    @Test func `a database that gives no answer is not waited for`() async throws {
        let error = await #expect(throws: PipelineError.self) {
            try await AnswerLimit.within(.milliseconds(20)) { try await Task.sleep(for: .seconds(60)) }
        }
        #expect(error.map(JobEnding.init) == .tryLater)
        #expect(try await AnswerLimit.within(.seconds(60)) { 7 } == 7)
    }
}
