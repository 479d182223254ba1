// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import StoreSimulator
import TestSupport

/// A place in a night where its process is killed: held there by a lock of the database, or caught there in passing.
enum KillPoint: Sendable, CustomStringConvertible {
    /// Extract, before it has planned anything.
    case select
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
    /// The run is sealed, and its report is being written aside.
    case reportRename

    var description: String {
        switch self {
        case .select: "select"
        case .token: "token"
        case .answer(let number): "answer \(number)"
        case .copiedRow(let number): "copied row \(number)"
        case .ledger: "ledger"
        case .beforeCommit: "before COMMIT"
        case .afterCommit: "after COMMIT"
        case .reportRename: "report rename"
        }
    }

    /// What holds the night there; nil for a place that it is caught at in passing.
    var hold: String? {
        switch self {
        case .select: "begin; lock table subledger.run_chunks in exclusive mode"
        case .copiedRow(let number):
            """
            create sequence public.copied;
            \(Self.waiting(returning: "new", when: "nextval('public.copied') = \(number)"))
            create trigger hold before insert on subledger.stage_transactions
                for each row execute function public.hold()
            """
        case .ledger:
            """
            \(Self.waiting(returning: "null"))
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
        case .select: "rollback"
        case .copiedRow: Self.letting("stage_transactions") + "; drop sequence public.copied"
        case .ledger: Self.letting("ledger_entries")
        case .beforeCommit, .afterCommit: Self.letting("run_chunks")
        case .token, .answer, .reportRename: nil
        }
    }

    /// A chunk's commit waits, where that holds of it.
    private static func committing(when condition: String) -> String {
        """
        \(waiting(returning: "null", when: condition))
        create constraint trigger hold after update on subledger.run_chunks deferrable initially deferred
            for each row when (new.state = 'done') execute function public.hold()
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
        if let hold = point.hold { try await connection.script(hold) }
        let before = answers
        let arguments = ["nightly", "--now", now.iso8601, "--config", configuration]
        let program = try CommandLineRun(product: "subledger", arguments: arguments).start()
        for _ in 0..<20_000 {
            if try await isReached(point, since: before) { return program }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw NightError("the night never came to \(point)")
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

    /// Stands for the minute after which a leader that says nothing more is taken for dead.
    func letTheLeaseEnd() async throws {
        try await connection.script(
            "update subledger.runs set leased_until = clock_timestamp() where outcome = 'running'")
    }

    private var answers: [String: Int] { stores.quotas.counters.requests }

    private func isReached(_ point: KillPoint, since before: [String: Int]) async throws -> Bool {
        let asked = answers.mapValues { $0 }.merging(before.mapValues { -$0 }, uniquingKeysWith: +)
        switch point {
        case .select, .copiedRow, .ledger, .beforeCommit, .afterCommit:
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
