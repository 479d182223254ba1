// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
@testable import Runs
import TestSupport
import Testing

/// How a run that breaks off comes to its end.
@Suite(.hangLimit) struct LedRunTests {
    /// A server that has stopped answering, without a word, when the run is to be written down as failed.
    private struct SilentAccess: DatabaseAccess {
        let connection: PostgresConnection

        func use<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
            try await body(connection)
        }

        func useOnce<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
            try await Task { try await Task.sleep(for: .seconds(36_000)) }.value
            return try await body(connection)
        }

        func name(_ name: SessionName) async throws {}
    }

    private struct Broken: Error {}

    @Test func `a run that breaks off ends, though the server says nothing any more`() async throws {
        try await withLedgerDatabase { connection, database in
            let now = Instant(micros: 1_773_108_900_000_000)
            let request = RunRequest(
                .import, apps: [AppID("acme-ios")], now: now,
                businessDate: BusinessDate(lastCompleteDayBefore: now, in: .gmt))
            let logger = RecordedLog().logger
            let sessions = DatabaseSessions(database, limit: 1, logger: logger)
            let led = LedRun(
                access: SilentAccess(connection: connection), leases: sessions, leaseSeconds: 60,
                waiting: RunWaiting(), partingLimit: .milliseconds(50), logger: logger)
            let work: @Sendable (Run) async throws -> RunEnding<Int> = { _ in throw Broken() }
            await #expect(throws: Broken.self) { try await led.run(request, ifBroken: .resumable, work: work) }
            let outcomes = try await connection.lines("select outcome from subledger.runs where job = 'import'")
            #expect(outcomes == ["running"])
            await sessions.close()
        }
    }
}
