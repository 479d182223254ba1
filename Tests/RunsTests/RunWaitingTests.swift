// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Runs
import TestSupport
import Testing

/// A run that will soon be over is waited for: a night at 02:15 does not lose against an intake of three seconds.
@Suite(.hangLimit) struct RunWaitingTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let apps = [AppID("acme-ios")]
    private static let elsewhere = Leader(host: "elsewhere.example", processID: 4_711)

    private static func waiting(_ patience: Duration, movesClock: Bool = false) -> RunWaiting {
        var waiting = RunWaiting()
        waiting.patience = patience
        waiting.pause = .milliseconds(5)
        waiting.movesClock = movesClock
        return waiting
    }

    private static func request(_ job: Run.Job, apps: [AppID] = apps, at now: Instant = now) -> RunRequest {
        RunRequest(job, apps: apps, now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
    }

    /// Opens the second run while the first is open, does something meanwhile, and returns it once it is.
    private static func open(
        _ second: RunRequest, beside first: RunRequest, movesClock: Bool = false, log: RecordedLog = RecordedLog(),
        _ meanwhile: (RunLedger, Run) async throws -> Void
    ) async throws -> Run {
        try await withLedgerDatabase { connection, database in
            let ledger = RunLedger(connection: connection, leader: elsewhere)
            let run = try await ledger.open(first)
            return try await withThrowingTaskGroup(of: Run.self) { group in
                group.addTask {
                    let own = try await PostgresConnection.connect(database)
                    defer { Task { await own.close() } }
                    return try await RunLedger(connection: own, waiting: waiting(.seconds(60), movesClock: movesClock))
                        .open(second, logger: log.logger)
                }
                while log.lines.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                // Several looks more.
                try await Task.sleep(for: .milliseconds(50))
                try await meanwhile(ledger, run)
                let opened = try await group.next()
                return try #require(opened)
            }
        }
    }

    private static func end(_ ledger: RunLedger, _ run: Run) async throws {
        _ = try await ledger.seal(run)
        try await ledger.finish(run, outcome: .done, counts: [:])
    }

    @Test func `a night waits for an intake of its app, says once for whom, and begins when it is over`() async throws {
        let log = RecordedLog()
        let night = try await Self.open(Self.request(.nightly), beside: Self.request(.intake), log: log, Self.end)
        #expect(night.job == .nightly && !night.isResumed && night.now == Self.now)
        #expect(log.lines.count == 1)
        #expect(
            log.lines.first?.hasPrefix(
                "notice an intake run of acme-ios is open: held by process 4711 on elsewhere.example since ") == true)
    }

    @Test func `an import waits for a night of another app besides`() async throws {
        let night = Self.request(.nightly, apps: [AppID("acme-ios"), AppID("acme-receipts")])
        #expect(try await Self.open(Self.request(.import), beside: night, Self.end).job == .import)
    }

    @Test func `where who is waited for dies, its run is closed when its lease is over`() async throws {
        let night = try await Self.open(Self.request(.nightly), beside: Self.request(.intake)) { ledger, run in
            await ledger.leave(run, because: PipelineError(.failed, "it died"))
        }
        #expect(night.job == .nightly && !night.isResumed)
    }

    @Test func `a run that does not end is named when the patience is over`() async throws {
        try await withLedgerDatabase { connection, _ in
            _ = try await RunLedger(connection: connection, leader: Self.elsewhere).open(Self.request(.import))
            let ledger = RunLedger(connection: connection, waiting: Self.waiting(.milliseconds(40)))
            let refusal = await #expect(throws: PipelineError.self) { try await ledger.open(Self.request(.nightly)) }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(
                refusal?.message.hasPrefix(
                    "an import run of acme-ios is open: held by process 4711 on elsewhere.example since ") == true)
        }
    }

    @Test func `a night of the same apps is not waited for`() async throws {
        try await withLedgerDatabase { connection, _ in
            let log = RecordedLog()
            _ = try await RunLedger(connection: connection, leader: Self.elsewhere).open(Self.request(.nightly))
            let ledger = RunLedger(connection: connection, waiting: Self.waiting(.seconds(3_600)))
            let refusal = await #expect(throws: PipelineError.self) {
                try await ledger.open(Self.request(.nightly), logger: log.logger)
            }
            #expect(refusal?.kind == .alreadyRunning && log.lines.isEmpty)
        }
    }

    /// The intake began a minute after the night, and was first: the night must not fall to its clock.
    @Test func `who waited begins with the clock of what was sealed meanwhile, unless its clock was given`()
        async throws
    {
        let later = Self.request(.intake, at: Self.now + .minutes(1))
        let night = try await Self.open(Self.request(.nightly), beside: later, movesClock: true, Self.end)
        #expect(night.now == Self.now + .minutes(1))
        let refusal = await #expect(throws: PipelineError.self) {
            try await Self.open(Self.request(.nightly), beside: later, Self.end)
        }
        #expect(refusal?.kind == .clockRunsBackwards)
    }

    @Test func `of two nights that begin at once one is opened, and the other names it`() async throws {
        try await withLedgerDatabase { connection, database in
            for number in 0..<20 {
                let app = [AppID("acme-ios")]
                let now = Self.now + .days(Int64(number))
                let outcomes = try await withThrowingTaskGroup(of: PipelineError?.self) { group in
                    for _ in 0..<2 {
                        group.addTask {
                            let own = try await PostgresConnection.connect(database)
                            defer { Task { await own.close() } }
                            do {
                                _ = try await RunLedger(connection: own, waiting: Self.waiting(.seconds(60)))
                                    .open(Self.request(.nightly, apps: app, at: now))
                                return nil
                            } catch let error as PipelineError {
                                return error
                            }
                        }
                    }
                    return try await group.reduce(into: [PipelineError?]()) { $0.append($1) }
                }
                let refusals = outcomes.compactMap(\.self)
                #expect(refusals.count == 1)
                #expect(refusals.first?.message.contains("a nightly run of acme-ios is open: ") == true)
                try await connection.script("update subledger.runs set leased_until = null where outcome = 'running'")
            }
        }
    }
}
