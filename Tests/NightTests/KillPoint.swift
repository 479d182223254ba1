// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport

/// A place in a night where its process is killed: held there by a lock of the database, or caught there in passing.
enum KillPoint: Sendable, CustomStringConvertible {
    /// Extract, before it has planned anything.
    case select
    /// The chunks of an app are planned, and not committed.
    case plan
    /// A worker has taken a chunk, and the database has not said so yet.
    case claim
    /// The first access token has been asked for.
    case token
    /// The stores have given so many answers about subscriptions.
    case answer(Int)
    /// So many rows of a chunk have been copied to staging.
    case copiedRow(Int)
    /// The money of a chunk has been written, and nothing committed.
    case ledger
    /// All of a chunk has been written; the commit has begun and waits.
    case beforeCommit
    /// The first chunk has been committed; of the others, those that were not with it wait for their commit.
    case afterCommit
    /// Everything is loaded, and the seal is not committed.
    case seal
    /// The run is sealed, and the tables of the reports are to be moved on.
    case report
    /// The run is sealed, and its report is being written aside.
    case reportRename
    /// The report is in its place, and nothing in the database says so.
    case issue

    var description: String {
        switch self {
        case .select: "select"
        case .plan: "plan"
        case .claim: "claim"
        case .token: "token"
        case .answer(let number): "answer \(number)"
        case .copiedRow(let number): "copied row \(number)"
        case .ledger: "ledger"
        case .beforeCommit: "before COMMIT"
        case .afterCommit: "after COMMIT"
        case .seal: "seal"
        case .report: "report tables"
        case .reportRename: "report rename"
        case .issue: "issue"
        }
    }

    /// What holds the night there; nil for a place that it is caught at in passing.
    var hold: String? {
        switch self {
        case .select: "begin; lock table subledger.run_chunks in exclusive mode"
        case .plan: Self.writing("run_plan", "before insert", when: "true")
        case .claim: Self.writing("run_chunks", "after update", when: "new.state = 'leased' and old.state = 'pending'")
        case .seal: Self.writing("runs", "after update", when: "new.seal is not null and old.seal is null")
        case .report: "begin; lock table marts.materialisation in row exclusive mode"
        case .issue: Self.writing("report_issues", "before insert", when: "true")
        case .copiedRow(let number):
            """
            create sequence public.copied;
            \(Self.waiting(returning: "new", when: "nextval('public.copied') = \(number)"))
            create trigger hold before insert on subledger.stage_transactions
                for each row execute function public.hold()
            """
        case .ledger:
            """
            \(Self.waiting(returning: "null", when: Self.isOwn))
            create trigger hold after insert on subledger.ledger_entries
                for each statement execute function public.hold()
            """
        case .beforeCommit: Self.committing(when: "true")
        case .afterCommit:
            Self.committing(
                when: """
                    exists (
                        select from subledger.run_chunks other
                        where other.run_id = new.run_id and other.chunk_no <> new.chunk_no and other.state = 'done'
                    )
                    """)
        case .token, .answer, .reportRename: nil
        }
    }

    /// What lets the next night pass.
    var release: String? {
        switch self {
        case .select, .report: "rollback"
        case .plan: Self.letting("run_plan")
        case .seal: Self.letting("runs")
        case .issue: Self.letting("report_issues")
        case .copiedRow: Self.letting("stage_transactions") + "; drop sequence public.copied"
        case .ledger: Self.letting("ledger_entries")
        case .claim, .beforeCommit, .afterCommit: Self.letting("run_chunks")
        case .token, .answer, .reportRename: nil
        }
    }

    /// A chunk's commit waits, where that holds of it.
    private static func committing(when condition: String) -> String {
        """
        \(waiting(returning: "null", when: condition))
        create constraint trigger hold after update on subledger.run_chunks deferrable initially deferred
            for each row when (new.state = 'done' and not new.is_beside) execute function public.hold()
        """
    }

    /// A session of a run's leader: an intake beside the run passes.
    private static let isOwn = "current_setting('application_name') ~ ' run [0-9]+[.][0-9]+$'"

    /// A row's writing waits, where that holds of it.
    private static func writing(_ table: String, _ moment: String, when condition: String) -> String {
        """
        \(waiting(returning: "new"))
        create trigger hold \(moment) on subledger.\(table)
            for each row when (\(condition)) execute function public.hold()
        """
    }

    private static func waiting(returning row: String, when condition: String = "true") -> String {
        """
        select pg_advisory_lock(4711);
        create function public.hold() returns trigger language plpgsql as $hold$
        begin
            if \(condition) then perform pg_advisory_xact_lock_shared(4711); end if;
            return \(row);
        end $hold$;
        """
    }

    private static func letting(_ table: String) -> String {
        "select pg_advisory_unlock(4711); drop trigger hold on subledger.\(table); drop function public.hold()"
    }
}

extension NightWorld {
    /// Starts a night and waits until it has come to that place.
    func startNight(_ number: Int, upTo point: KillPoint) async throws -> RunningProgram {
        let now = Self.instant(of: number)
        stores.setClock(now.micros)
        try await register(from: Self.instant(of: number - 1), to: now)
        return try await start(["nightly", "--now", now.iso8601], upTo: point)
    }

    /// Starts a job and waits until it has come to that place.
    func start(_ arguments: [String], upTo point: KillPoint) async throws -> RunningProgram {
        if let hold = point.hold { try await connection.script(hold) }
        let before = answers
        let program = try CommandLineRun(product: "subledger", arguments: arguments + ["--config", configuration])
            .start()
        while program.isRunning {
            if try await isReached(point, since: before) { return program }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw NightError("\(arguments) ended before \(point): \(program.errorsSoFar.suffix(2_000))")
    }

    /// Kills it there, and takes what held it away.
    func kill(_ program: RunningProgram, at point: KillPoint) async throws {
        Foundation.kill(program.processID, SIGKILL)
        _ = await program.result()
        // A server process that waits for a lock does not notice that its client is gone.
        try await connection.script(
            "select pg_terminate_backend(pid) from pg_stat_activity "
                + "where datname = current_database() and pid <> pg_backend_pid()")
        if let release = point.release { try await connection.script(release) }
        try await letTheLeaseEnd()
    }

    /// Stands for the minutes after which a leader that says nothing more is taken for dead, and its workers are.
    func letTheLeaseEnd() async throws {
        try await connection.script(
            """
            update subledger.runs set leased_until = clock_timestamp() where outcome = 'running';
            update subledger.run_chunks set leased_until = clock_timestamp() where state = 'leased' and not is_beside
            """)
    }

    private var answers: [String: Int] { stores.quotas.counters.requests }

    private func isReached(_ point: KillPoint, since before: [String: Int]) async throws -> Bool {
        let asked = answers.mapValues { $0 }.merging(before.mapValues { -$0 }, uniquingKeysWith: +)
        switch point {
        case .select, .plan, .claim, .copiedRow, .ledger, .beforeCommit, .afterCommit, .seal, .report, .issue:
            // Other tests' databases have waiters of their own.
            return try await !connection.lines(
                "select pid from pg_locks where not granted "
                    + "and database = (select oid from pg_database where datname = current_database())"
            ).isEmpty
        case .token: return asked["token", default: 0] > 0
        case .answer(let number):
            let unasked: Set = ["token", "notification_history", "voided_purchases"]
            return asked.filter { !unasked.contains($0.key) }.values.reduce(0, +) >= number
        case .reportRename:
            let entries = (try? FileManager.default.contentsOfDirectory(atPath: reports)) ?? []
            return entries.contains { $0.hasPrefix(".") && !$0.hasPrefix(".latest") }
        }
    }
}
