// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import Stores
import Testing
import TestSupport

@testable import Nightly
@testable import Operations
@testable import subledger

/// What people read: each fact once, in words, and nothing that steers their terminal.
@Suite struct OutputTextTests {
    private static let down = StoreFailure(.storeDown, reason: "store_down", message: "App acme-ios stops: why.")
    private static let now = Instant(micros: 1_767_225_600_000_000)  // 2026-01-01T00:00:00Z

    private static func status(
        _ connection: PostgresConnection, businessDate: String = "2025-12-31"
    ) async throws -> StatusReport {
        try await StatusReport.read(
            on: connection, now: now, businessDate: try #require(BusinessDate(businessDate)))
    }

    @Test(
        arguments: [
            (
                "'expired', '2025-12-25T10:00:00Z', '2025-12-25T10:00:00Z', 'voluntary'",
                "access ended 2025-12-25T10:00:00Z"
            ),
            ("'active', '2026-01-09T10:00:00Z', null, null", "access until 2026-01-10T10:00:00Z: active"),
            ("'active', '2025-12-01T10:00:00Z', null, null", "access ended 2025-12-02T10:00:00Z"),
            ("'pending', null, null, null", "no access: pending"),
        ])
    func `explain says when access ended, not until when there is none`(columns: String, line: String) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at, last_checked_at, state,
                    expires_at, ended_at, end_reason)
                values (1, 1, 'acme-ios', 'app_store', '1', '2025-01-01', '2025-11-01', \(columns))
                """)
            let story = try #require(try await Explanation.find("1", on: connection, now: Self.now).first)
            let text = ExplanationText(story, now: Self.now, hasBodies: false).description
            #expect(text.contains("\n  \(line)"), "\(text)")
        }
    }

    @Test func `explain prints no character that steers a terminal`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.subscriptions (
                    subscription_key, lineage_key, app_id, store, store_key, registered_at, account_id, state_raw)
                values (1, 1, 'acme-ios', 'app_store', '1', '2025-01-01', E'a\\x1B[2J\\nb', E'\\u009B31m\\u202Ex');
                insert into subledger.store_answers (
                    subscription_key, answer_hash, app_id, endpoint, body, run_id, answered_at)
                values (1, 'h', 'acme-ios', 'statuses', E'{\\n\\x1B]0;x\\x07}', 1, '2025-01-01')
                """)
            let story = try #require(try await Explanation.find("1", on: connection, now: Self.now).first)
            let text = ExplanationText(story, now: Self.now, hasBodies: true).description
            #expect(text.contains(#"account a\u{1B}[2J\u{A}b"#) && text.contains(#"(\u{9B}31m\u{202E}x)"#), "\(text)")
            #expect(text.contains("\n      {\n      \\u{1B}]0;x\\u{7}}"), "\(text)")
            let steering = text.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
            #expect(steering.isEmpty && !text.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test func `an app that was stopped is named once`() {
        let reported = "App acme-ios stops: the App Store refuses its credentials (401)."
        #expect(StoppedText.line("acme-ios", reported) == reported)
        #expect(
            StoppedText.line("acme-ios", "No token could be signed.") == "App acme-ios stops: No token could be signed."
        )
        let late = "App acme-ios stops for tonight: its store does not answer."
        #expect(StoppedText.line("acme-ios", late) == late)
        // A longer name that begins alike is another app's, with the same credential: its own name is what is asked for.
        #expect(
            StoppedText.line("acme", reported) == "App acme stops: the App Store refuses its credentials (401).")
        #expect(StoppedText.line("acme", late) == "App acme stops: its store does not answer.")
    }

    @Test func `a night's summary says what was booked tonight, and which values were unknown`() {
        var counts: [String: Int64] = ["due": 2, "unknown_value.statuses.mood": 1_200, "unknown.NEW_TYPE": 3]
        for number in 0..<10 { counts["unknown_value.field\(number)"] = 1 }
        let summary = RunSummary(
            runID: 7, businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt),
            result: RunResult(unfinished: [Self.down], of: 2), counts: counts,
            revenue: [RunSummary.Revenue(currency: "JPY", charges: 2, grossMicros: 1_960_000_000, refundedMicros: 0)],
            stoppedApps: [(AppID("acme-ios"), "App acme-ios stops: why.")], reportPath: nil)
        let fields = (0...7).map { "field\($0) (1)" }.joined(separator: ", ")
        #expect(
            "\(SummaryText(summary))" == """
                2025-12-31 (run 7): partial
                  due 2
                  booked tonight:
                    JPY: 2 charges, gross 1,960, refunded 0
                  unknown to this version: statuses.mood (1,200), NEW_TYPE (3), \(fields), and 2 more
                  App acme-ios stops: why.
                """)
    }

    @Test func `status reports for each run what stopped and which values were unknown`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.runs (job, business_date, logical_now, started_at, finished_at, outcome, counts, host,
                    process_id, leased_until)
                values ('nightly', '2025-12-31', '2026-01-01', '2026-01-01', '2026-01-01', 'partial',
                    '{"due": 2, "unknown_value.transaction.offerType=9": 3}', 'h', 1, '2026-01-01');
                insert into subledger.run_apps (run_id, app_id, state, closed_at, reason)
                select run_id, 'acme-ios', 'stopped', '2026-01-01', 'App acme-ios stops: its key: revoked.' from subledger.runs
                """)
            let text = "\(StatusText(try await Self.status(connection)))"
            #expect(text.contains("\n  run 1: App acme-ios stops: its key: revoked.\n"), "\(text)")
            #expect(text.contains("\n  run 1: unknown to this version: transaction.offerType=9 (3)\n"), "\(text)")
            #expect(text.contains(" due 2\n"), "\(text)")
        }
    }

    @Test func `status names each host of an open night, and what it has done of its apps together`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.runs (job, business_date, logical_now, host, process_id, leased_until)
                values ('nightly', '2025-12-31', '2026-01-01', 'web-1', 12, now() + interval '1 hour');
                insert into subledger.run_hosts (run_id, host_name, app_id, machine, process_id, chunks, checks, seen_at)
                values (1, 'web-1:12:7', 'acme-ios', 'web-1', 12, 2, 1000, '2026-01-01 02:20Z'),
                    (1, 'web-1:12:7', 'acme-receipts', 'web-1', 12, 1, 234, '2026-01-01 02:21Z'),
                    (1, 'web-2:3:9', 'acme-ios', 'web-2', 3, 0, 0, '2026-01-01 02:21Z');
                insert into subledger.run_chunks (
                    run_id, chunk_no, app_id, subscription_keys, state, leased_by, leased_until)
                values (1, 4, 'acme-ios', '{1}', 'leased', 'web-2:3:9:acme-ios', now() + interval '1 hour')
                """)
            let text = "\(StatusText(try await Self.status(connection)))"
            let first = "run 1: process 12 on web-1: 1,234 checked in 3 chunks, at 0 now, seen 2026-01-01T02:21:00Z\n"
            #expect(text.contains(first), "\(text)")
            #expect(text.contains("run 1: process 3 on web-2: 0 checked in 0 chunks, at 1 now"), "\(text)")
            try await connection.script(
                "update subledger.runs set outcome = 'done', finished_at = now(), seal = 1, sealed_at = now()")
            #expect(!"\(StatusText(try await Self.status(connection)))".contains("web-2"))
        }
    }

    /// A role that may have three sessions has one besides: two are free, and a night with two workers takes four.
    @Test func `status sets what a night takes of connections beside what is free, and says where that is too few`()
        async throws
    {
        try await withLedgerDatabase { connection, database in
            let role = "few_" + UUID().uuidString.lowercased().replacing("-", with: "")
            try await connection.script(
                "create role \(role) login connection limit 3; grant pg_read_all_data to \(role)")
            let other = try await PostgresConnection.connect(database.with(user: role))
            let reading = try await PostgresConnection.connect(database.with(user: role))
            let report = try await Self.status(reading)
            #expect(
                "\(StatusText(report))".hasSuffix(
                    """
                    Connections
                      a night takes up to 4 (2 workers and 2 more), free now are 2 of the role's 3
                      too few: let the role have more, or give the night fewer --workers
                    """))
            try await connection.script("alter role \(role) connection limit 5")
            let enough = "\(StatusText(try await Self.status(reading)))"
            #expect(enough.hasSuffix("free now are 4 of the role's 5"), "\(enough)")
            await other.close()
            await reading.close()
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    /// Nights of the 1st, 2nd, 5th and 7th: three dates have none, whatever else was sealed on them, and the first night is a beginning.
    @Test func `status names dates on which no night was sealed, the newest first`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                insert into subledger.runs (
                    job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
                select job, day::date, day::date + 1, now(), now(), seal, 'done', 'here', 1
                from (values
                    ('intake', '2025-12-20', 1), ('nightly', '2025-12-01', 2), ('nightly', '2025-12-02', 3),
                    ('notifications', '2025-12-03', 4), ('nightly', '2025-12-05', 5), ('nightly', '2025-12-05', 6),
                    ('nightly', '2025-12-07', 7)
                ) as sealed (job, day, seal);
                update subledger.settings set last_seal = 7
                """)
            let report = try await Self.status(connection, businessDate: "2025-12-08")
            #expect(report.gaps.map(\.firstDate) == ["2025-12-06", "2025-12-03"])
            #expect(report.gaps.map(\.lastDate) == ["2025-12-06", "2025-12-04"])
            let text = "\(StatusText(report))"
            #expect(text.contains("\n  2025-12-06\n  2025-12-03 to 2025-12-04"), "\(text)")
            // The night of the business date may yet come; no later one has to be sealed before a date without one is named.
            for (businessDate, newest) in [
                ("2025-12-07", "2025-12-06 to 2025-12-06"), ("2025-12-09", "2025-12-08 to 2025-12-08"),
                ("2025-12-11", "2025-12-08 to 2025-12-10"),
            ] {
                let gap = try #require(try await Self.status(connection, businessDate: businessDate).gaps.first)
                #expect("\(gap.firstDate) to \(gap.lastDate)" == newest)
            }
            // A night that is open may yet be sealed.
            try await connection.script(
                """
                insert into subledger.runs (job, business_date, logical_now, host, process_id)
                values ('nightly', '2025-12-09', '2025-12-10', 'here', 1)
                """)
            let open = try await Self.status(connection, businessDate: "2025-12-11").gaps.prefix(3)
            #expect(open.map(\.firstDate) == ["2025-12-10", "2025-12-08", "2025-12-06"])
            #expect(open.map(\.lastDate) == ["2025-12-10", "2025-12-08", "2025-12-06"])
        }
    }

    @Test func `status names no date where no night was ever sealed`() async throws {
        try await withLedgerDatabase { connection, _ in
            let gaps = try await Self.status(connection).gaps
            #expect(gaps == [])
        }
    }

    @Test func `a system error is reported in words`() {
        let denied = CocoaError(.fileWriteNoPermission, userInfo: [NSFilePathErrorKey: "/reports"])
        #expect(ErrorText.sentence(denied) == "/reports: Permission denied")
        #expect(ErrorText.sentence(POSIXError(.ENOSPC)) == "the system refused: No space left on device")
        #expect(ErrorText.sentence(PipelineError(.failed, "our own")) == "our own")
        let missing = #expect(throws: (any Error).self) {
            try FileManager.default.removeItem(atPath: "/nowhere/at/all")
        }
        #expect(missing.map(ErrorText.sentence) == "/nowhere/at/all: No such file or directory")
    }

    @Test func `the page about installing never replaces the whole crontab`() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for file in ["docs/install.md", "cron/subledger.crontab"] {
            let text = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            #expect(text.contains("crontab -e"))
            #expect(text.firstMatch(of: /(?m)^crontab [^-]|Install with `crontab/) == nil)
        }
    }
}
