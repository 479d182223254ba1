// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Model
import Postgres
import TestSupport
import Testing

@testable import Runs

/// Nights of several apps that end together write their reports one after the other, in the order of their seals: the tables that
/// reports are read from are all at one seal.
@Suite struct ReportTurnTests {
    private static let now = Instant(micros: 1_773_108_900_000_000)
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// Seals as reports of them begin and end.
    private actor Events {
        private(set) var seals: [Int64] = []

        func add(_ seal: Int64) { seals.append(seal) }
    }

    private struct Failure: Error {}

    private static func report(
        of app: String, on connection: PostgresConnection, _ database: PostgresConfiguration,
        writing: @Sendable @escaping (_ seal: Int64) async throws -> Void
    ) async throws {
        let request = RunRequest(
            .nightly, apps: [AppID(app)], now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt),
            isReported: true)
        try await RunLedger(connection: connection).withRun(
            request, on: database, logger: logger, ifBroken: .failed(counts: [:])
        ) { _ in
        } conclude: { _, seal, _ in
            try await writing(seal)
            return RunEnding((), outcome: .done, counts: [:])
        }
    }

    @Test func `two nights racing twenty times report one after the other, in the order of their seals`() async throws {
        try await withLedgerDatabase { connection, database in
            let other = try await PostgresConnection.connect(database)
            let events = Events()
            let writing: @Sendable (Int64) async throws -> Void = { seal in
                await events.add(seal)
                try await Task.sleep(for: .milliseconds(5))
                await events.add(seal)
            }
            for _ in 1...20 {
                async let first: Void = Self.report(of: "acme-ios", on: connection, database, writing: writing)
                async let second: Void = Self.report(of: "acme-receipts", on: other, database, writing: writing)
                _ = try await (first, second)
            }
            await other.close()
            #expect(await events.seals == (1...40 as ClosedRange<Int64>).flatMap { [$0, $0] })
        }
    }

    @Test func `a night whose report fails lets the next one write its own`() async throws {
        try await withLedgerDatabase { connection, database in
            let other = try await PostgresConnection.connect(database)
            await #expect(throws: Failure.self) {
                try await Self.report(of: "acme-ios", on: connection, database) { _ in throw Failure() }
            }
            let events = Events()
            try await Self.report(of: "acme-receipts", on: other, database) { await events.add($0) }
            await other.close()
            #expect(await events.seals == [2])
        }
    }

    /// A run whose leader has the turn on a session of its own, and no lease any more.
    private static func freeze(
        _ app: String, _ connection: PostgresConnection, _ database: PostgresConfiguration
    ) async throws -> (Run, PostgresConnection) {
        let run = try await RunLedger(connection: connection).open(
            .nightly, apps: [AppID(app)], now: now, businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
        let session = try await PostgresConnection.connect(database)
        try await ReportTurn(of: run).take(on: session, logger: logger)
        try await connection.script(
            "update subledger.runs set leased_until = clock_timestamp() - interval '1 second' where run_id = \(run.id)")
        return (run, session)
    }

    @Test func `a leader whose lease is over loses its turn and session, and is refused afterwards`() async throws {
        try await withLedgerDatabase { connection, database in
            let (run, session) = try await Self.freeze("acme-ios", connection, database)
            // What a night locks while it writes its report.
            try await session.script("begin; select from subledger.settings for update")
            let (events, turn) = (Events(), ReportTurn(of: run))
            try await Self.report(of: "acme-receipts", on: connection, database) { seal in
                await events.add(seal)
                let awake = try await PostgresConnection.connect(database)
                let refusal = await #expect(throws: PipelineError.self) { try await turn.confirm(on: awake) }
                #expect(refusal?.kind == .alreadyRunning)
                await awake.close()
            }
            #expect(await events.seals == [1])
            let ended = await #expect(throws: PostgresError.self) { try await session.script("commit") }
            #expect(ended?.disposition == .retry)
            let refusal = await #expect(throws: PipelineError.self) { try await turn.confirm(on: connection) }
            #expect(refusal?.message.contains("lost its turn") == true)
        }
    }

    @Test func `two that race for the turn of a frozen leader take it one after the other`() async throws {
        try await withLedgerDatabase { connection, database in
            let other = try await PostgresConnection.connect(database)
            let events = Events()
            let writing: @Sendable (Int64) async throws -> Void = { seal in
                await events.add(seal)
                try await Task.sleep(for: .milliseconds(5))
                await events.add(seal)
            }
            try await connection.script(
                "insert into subledger.apps (app_id, store) values ('acme-play', 'google_play')")
            for _ in 1...10 {
                let (frozen, session) = try await Self.freeze("acme-play", connection, database)
                async let first: Void = Self.report(of: "acme-ios", on: connection, database, writing: writing)
                async let second: Void = Self.report(of: "acme-receipts", on: other, database, writing: writing)
                _ = try await (first, second)
                await session.close()
                try await RunLedger(connection: connection).finish(frozen, outcome: .failed, counts: [:])
            }
            await other.close()
            #expect(await events.seals == (1...20 as ClosedRange<Int64>).flatMap { [$0, $0] })
        }
    }

    @Test func `a run that another process leads takes no turn`() async throws {
        try await withLedgerDatabase { connection, database in
            let run = try await RunLedger(connection: connection).open(
                .nightly, apps: [AppID("acme-ios")], now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            let turn = ReportTurn(of: run)
            try await turn.take(on: connection, logger: Self.logger)
            try await turn.confirm(on: connection)
            try await connection.script("update subledger.runs set leader_generation = leader_generation + 1")
            await #expect(throws: PipelineError.self) { try await turn.confirm(on: connection) }
            await #expect(throws: PipelineError.self) { try await turn.take(on: connection, logger: Self.logger) }
        }
    }

    @Test func `who waits for its turn says for whom`() async throws {
        try await withLedgerDatabase { connection, database in
            let writing = try await RunLedger(connection: connection).open(
                .nightly, apps: [AppID("acme-ios")], now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            try await ReportTurn(of: writing).take(on: connection, logger: Self.logger)
            let (log, turn) = (RecordedLog(), ReportTurn(of: writing))
            var impatient = database
            impatient.waiting.untilReported = .zero
            let other = try await PostgresConnection.connect(impatient)
            let waiting = try await RunLedger(connection: other).open(
                .nightly, apps: [AppID("acme-receipts")], now: Self.now,
                businessDate: BusinessDate(lastCompleteDayBefore: Self.now, in: .gmt))
            let taking = Task { try await ReportTurn(of: waiting).take(on: other, logger: log.logger) }
            try await waitUntil { !log.lines.isEmpty }
            let line = log.lines.first
            #expect(line?.contains("run 2 waits to write its reports: a nightly run of acme-ios is open") == true)
            try await turn.end(on: connection)
            try await taking.value
            try await ReportTurn(of: waiting).confirm(on: connection)
            await other.close()
        }
    }
}
