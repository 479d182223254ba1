// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import TestSupport
import Testing

/// Overlapping jobs are harmless, a dead leader's run is resumed, and clocks never run backwards.
@Suite struct RunLedgerTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let apps = [AppID("acme-ios")]
    /// A process on another host: whether it lives is known by its lease alone.
    private static let elsewhere = Leader(host: "elsewhere.example", processID: 4_711)

    private static func open(
        _ connection: PostgresConnection, as job: Run.Job = .nightly, by leader: Leader = .current,
        at now: Instant = now, apps: [AppID] = apps
    ) async throws -> Run {
        var waiting = RunWaiting()
        waiting.patience = .zero
        return try await RunLedger(connection: connection, leader: leader, waiting: waiting).open(
            job, apps: apps, now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
    }

    @Test func `a second run of an app is refused, and the process of the first is named`() async throws {
        try await withLedgerDatabase { connection, _ in
            _ = try await Self.open(connection, by: Self.elsewhere)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.open(connection) }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(refusal?.message.contains("process 4711 on elsewhere.example since ") == true)
        }
    }

    @Test(arguments: [(Run.Job.nightly, "a nightly run"), (.report, "a report run"), (.import, "an import run")])
    func `the open run is named in plain English`(job: Run.Job, words: String) async throws {
        try await withLedgerDatabase { connection, _ in
            _ = try await Self.open(connection, as: job, by: Self.elsewhere)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.open(connection) }
            #expect(refusal?.message.hasPrefix(words + " of acme-ios is open: ") == true)
        }
    }

    /// Between the look and the opening another start may have done the date.
    @Test func `a run that is not needed any more is not opened`() async throws {
        try await withLedgerDatabase { connection, _ in
            var request = RunRequest(
                .nightly, apps: Self.apps, now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            request.isNeeded = { try await $0.lines("select 1 as it").isEmpty }
            await #expect(throws: NothingToDo.self) { try await RunLedger(connection: connection).open(request) }
            let runs = try await connection.lines("select run_id from subledger.runs where job = 'nightly'")
            #expect(runs == [])
        }
    }

    @Test func `a run of one app leaves another app free`() async throws {
        try await withLedgerDatabase { connection, _ in
            let first = try await Self.open(connection, by: Self.elsewhere)
            let second = try await Self.open(connection, apps: [AppID("acme-receipts")])
            #expect(first.id != second.id)
        }
    }

    @Test func `a run whose lease ran out is resumed for the same instant, and chunks whose lease is over are free`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            let dead = try await Self.open(connection, by: Self.elsewhere)
            try await connection.script(
                """
                update subledger.runs set leased_until = now() - interval '1 second';
                insert into subledger.run_chunks (
                    run_id, chunk_no, app_id, subscription_keys, state, generation, leased_by, leased_until)
                values
                    (\(dead.id), 1, 'acme-ios', '{1}', 'leased', 3, 'dead', now() - interval '1 second'),
                    (\(dead.id), 2, 'acme-ios', '{2}', 'leased', 3, 'alive', now() + interval '1 hour')
                """)
            let resumed = try await Self.open(connection)
            #expect(resumed.id == dead.id && resumed.isResumed && resumed.generation == dead.generation + 1)
            #expect(
                try await connection.lines("select state, generation from subledger.run_chunks order by chunk_no")
                    == ["pending|4", "leased|3"])
            #expect(try await RunLedger(connection: connection).renew(dead) == false)
        }
    }

    @Test func `a dead run of another night is closed and sealed, and the new one goes on`() async throws {
        try await withLedgerDatabase { connection, _ in
            let dead = try await Self.open(connection, by: Self.elsewhere)
            try await connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            let next = try await Self.open(connection, at: Self.now + .days(1))
            #expect(next.id != dead.id && !next.isResumed)
            #expect(
                try await connection.lines("select outcome, seal from subledger.runs order by run_id")
                    == ["failed|1", "running|"])
        }
    }

    /// Another container has process numbers of its own: a number that no process has here proves nothing.
    @Test func `a leader whose process cannot be seen lives while its lease does`() async throws {
        // Beyond the largest number that Linux gives.
        let unseen = Leader(host: Leader.current.host, processID: 4_194_305)
        try await withLedgerDatabase { connection, _ in
            _ = try await Self.open(connection, by: unseen)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.open(connection) }
            #expect(refusal?.kind == .alreadyRunning)
            try await connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            let resumed = try await Self.open(connection)
            #expect(resumed.isResumed)
        }
    }

    @Test
    func `a run its leader left is free at once, says why, and is whole when the next one has ended it`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let run = try await Self.open(connection, by: Self.elsewhere)
            await ledger.leave(run, because: PipelineError(.failed, "the disk is full"))
            #expect(
                try await connection.lines("select outcome, failure from subledger.runs") == [
                    "running|the disk is full"
                ])
            let resumed = try await Self.open(connection)
            #expect(resumed.id == run.id && resumed.isResumed)
            _ = try await ledger.seal(resumed)
            try await ledger.finish(resumed, outcome: .done, counts: [:])
            #expect(try await connection.lines("select outcome, failure from subledger.runs") == ["done|"])
        }
    }

    /// Two hours later, by a start that wants a report: it goes on under its own clock, asks everything as it began, and owes one.
    @Test func `a dead run is resumed by the next start of its business date, as the run that it was`() async throws {
        try await withLedgerDatabase { connection, _ in
            let date = BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt)
            let request = { (hours: Int64, isReported: Bool, isAudit: Bool) in
                RunRequest(
                    .nightly, apps: Self.apps, now: Self.now + .hours(hours), businessDate: date,
                    isReported: isReported, isAudit: isAudit)
            }
            let dying = "update subledger.runs set leased_until = now() - interval '1 second' where outcome = 'running'"
            let (elsewhere, ledger) = (
                RunLedger(connection: connection, leader: Self.elsewhere), RunLedger(connection: connection)
            )
            let dead = try await elsewhere.open(request(0, false, true))
            try await connection.script(dying)
            let resumed = try await ledger.open(request(2, true, false))
            #expect(resumed.id == dead.id && resumed.isResumed && resumed.now == Self.now && resumed.isAudit)
            #expect(try await connection.lines("select report_due from subledger.runs") == ["true"])
            try await ledger.finish(resumed, outcome: .done, counts: [:])
            // What asks only what is due is no half of a run that asks everything.
            let plain = try await elsewhere.open(request(3, true, false))
            try await connection.script(dying)
            let audit = try await ledger.open(request(4, true, true))
            #expect(audit.id != plain.id && !audit.isResumed && audit.isAudit)
        }
    }

    @Test func `a run that is not resumed ends with its reason; a dead one's end says that it died`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let run = try await Self.open(connection)
            await ledger.fail(run, because: PipelineError(.failed, "the file broke off"))
            _ = try await Self.open(connection, by: Self.elsewhere, at: Self.now + .days(1))
            try await connection.script(
                "update subledger.runs set leased_until = now() - interval '1 second' where outcome = 'running'")
            _ = try await Self.open(connection, at: Self.now + .days(2))
            #expect(
                try await connection.lines("select outcome, seal, failure from subledger.runs order by run_id") == [
                    "failed|1|the file broke off", "failed|2|its process died; the next run went on", "running||",
                ])
        }
    }

    @Test func `a leader whose run was taken over cannot end it`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let dead = try await Self.open(connection, by: Self.elsewhere)
            try await connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            let resumed = try await Self.open(connection)
            await #expect(throws: PipelineError.self) { try await ledger.finish(dead, outcome: .done, counts: [:]) }
            await ledger.leave(dead, because: PipelineError(.failed, "late"))
            #expect(
                try await connection.lines(
                    "select outcome, failure, leased_until > now() as is_leased from subledger.runs")
                    == ["running||true"])
            try await ledger.finish(resumed, outcome: .done, counts: [:])
        }
    }

    @Test func `what a run planned goes when it ends, whoever ends it`() async throws {
        try await withLedgerDatabase { connection, _ in
            let plan = "insert into subledger.run_plan select max(run_id), 1, 1 from subledger.runs"
            let ledger = RunLedger(connection: connection)
            let first = try await Self.open(connection)
            try await connection.script(plan)
            try await ledger.finish(first, outcome: .done, counts: [:])
            #expect(try await connection.lines("select * from subledger.run_plan") == [])
            let dead = try await Self.open(connection, by: Self.elsewhere)
            try await connection.script(plan)
            try await connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            let next = try await Self.open(connection, at: Self.now + .days(1))
            #expect(next.id != dead.id)
            #expect(try await connection.lines("select * from subledger.run_plan") == [])
        }
    }

    @Test func `a clock before the last sealed run is refused`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let run = try await Self.open(connection)
            #expect(try await ledger.seal(run) == 1)
            try await ledger.finish(run, outcome: .done, counts: ["due": 3])
            let refusal = await #expect(throws: PipelineError.self) {
                try await Self.open(connection, at: Self.now - .seconds(1))
            }
            #expect(refusal?.kind == .clockRunsBackwards)
            let again = try await Self.open(connection)
            #expect(try await ledger.seal(again) == 2)
        }
    }

    /// A clock that was read a moment ago, by somebody who opened and sealed first: behind it nothing is lost.
    @Test func `who was given no clock begins with that of the last sealed run, unless it lies in the future`()
        async throws
    {
        try await withLedgerDatabase { connection, _ in
            var ledger = RunLedger(connection: connection)
            let run = try await Self.open(connection)
            _ = try await ledger.seal(run)
            try await ledger.finish(run, outcome: .done, counts: [:])
            var waiting = RunWaiting()
            waiting.movesClock = true
            ledger = RunLedger(connection: connection, waiting: waiting)
            let before = Self.now - .seconds(1)
            let date = BusinessDate(lastCompleteDayBefore: before, in: .gmt)
            let next = try await ledger.open(.intake, apps: [AppID("acme-ios")], now: before, businessDate: date)
            #expect(next.now == Self.now)
            try await connection.script(
                "update subledger.runs set logical_now = now() + interval '1 hour' where seal = 1")
            await ledger.leave(next, because: PipelineError(.failed, "it died"))
            let refusal = await #expect(throws: PipelineError.self) {
                try await ledger.open(.notifications, apps: [AppID("acme-ios")], now: before, businessDate: date)
            }
            #expect(refusal?.kind == .clockRunsBackwards)
        }
    }

    @Test func `what a start closed stays closed where it finds nothing to do`() async throws {
        try await withLedgerDatabase { connection, _ in
            let dead = try await Self.open(connection, by: Self.elsewhere)
            try await connection.script("update subledger.runs set leased_until = now() - interval '1 second'")
            let now = Self.now + .days(1)
            var request = RunRequest(
                .nightly, apps: [AppID("acme-ios")], now: now,
                businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            request.isNeeded = { _ in false }
            await #expect(throws: NothingToDo.self) { try await RunLedger(connection: connection).open(request) }
            #expect(
                try await connection.lines("select run_id, outcome, seal from subledger.runs") == [
                    "\(dead.id)|failed|1"
                ])
        }
    }

    @Test func `a run is sealed once`() async throws {
        try await withLedgerDatabase { connection, _ in
            let ledger = RunLedger(connection: connection)
            let run = try await Self.open(connection)
            _ = try await ledger.seal(run)
            // Asked again because the answer was lost: it is the seal that it has.
            #expect(try await ledger.seal(run) == 1)
            #expect(try await connection.lines("select last_seal from subledger.settings") == ["1"])
        }
    }
}
