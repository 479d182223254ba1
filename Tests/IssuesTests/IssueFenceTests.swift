// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import Synchronization
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering
@testable import ReportSupport

/// A leader whose turn to write reports is another's by now writes no issue, and moves no kept table on.
@Suite struct IssueFenceTests {
    private struct TurnLost: Error {}

    /// Confirms the turn so many times, then it is lost.
    private final class Turn: Sendable {
        private let limit: Int
        private let asked = Mutex(0)

        var confirmations: Int { asked.withLock(\.self) }

        init(lostAt limit: Int = .max) { self.limit = limit }

        func confirm(_: PostgresConnection) async throws {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number >= limit { throw TurnLost() }
        }
    }

    private static func issue(
        _ world: ReportWorld, to directory: String, _ turn: Turn
    ) async throws -> IssuedReport {
        try await ReportStage(fence: turn.confirm).issue(
            on: world.connection,
            request: ReportRequest(
                seal: 1, runID: 1, businessDate: try #require(BusinessDate("2026-02-06")),
                asOf: try #require(Instant(iso8601: "2026-02-07T02:00:00Z")), directory: directory))
    }

    private static func issues(_ world: ReportWorld) async throws -> [String] {
        try await world.connection.lines("select run_id from subledger.report_issues")
    }

    @Test func `wherever the turn is lost, no issue is moved to its place and none is recorded`() async throws {
        try await ReportWorld.with { world in
            try await withTemporaryDirectory { directory in
                try await world.night(1, for: "2026-02-06", issued: false)
                try await world.charged(Sale(from: "2026-01-05 12:00Z", to: "2026-02-05 12:00Z"))
                let position = "select seal, parts, parts_built from marts.materialisation"
                // At the build's start; when it is divided; when the tables are built and the issue is to be read.
                for (number, reached) in [(1, []), (2, ["1|0|0"]), (3, ["1|1|1"]), (2, ["1|1|1"])] {
                    let turn = Turn(lostAt: number)
                    await #expect(throws: TurnLost.self) { _ = try await Self.issue(world, to: directory, turn) }
                    #expect(turn.confirmations == number)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
                    #expect(try await Self.issues(world).isEmpty)
                    #expect(try await world.connection.lines(position) == reached)
                }
                let issued = try await Self.issue(world, to: directory, Turn())
                #expect(issued.isNew && issued.path == "\(directory)/2026-02-06")
                #expect(try await Self.issues(world) == ["1"])
            }
        }
    }
}
