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
}
