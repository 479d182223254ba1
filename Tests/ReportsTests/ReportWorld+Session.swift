// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import TestSupport
import Testing

@testable import Reports

/// Reports of a seal, of some days and of a zone, as a session makes them from the whole history.
extension ReportWorld {
    /// The lines of a query over the reports' views, for example `churn`.
    func shown(
        _ sql: String, _ parameters: [PostgresValue] = [], seal: Int64 = 1, from first: String = "-infinity",
        through last: String, zone: String = "UTC"
    ) async throws -> [String] {
        try await inSession(seal: seal, zone: zone) { session in
            try await session.show(from: first, through: last)
            return try await connection.lines(sql, parameters)
        }
    }

    /// Names of the checks that find something.
    func failedChecks(
        seal: Int64 = 1, subscriptions: [Int64]? = nil, timeZone: String = "UTC", spoiledBy spoil: String = ""
    ) async throws -> [String] {
        try await outcomes(seal: seal, subscriptions: subscriptions, timeZone: timeZone, spoiledBy: spoil)
            .filter { !$0.passed }.map(\.name)
    }

    /// What the checks find, after a script has changed what the session shows.
    func outcomes(
        seal: Int64 = 1, subscriptions: [Int64]? = nil, timeZone: String = "UTC", spoiledBy spoil: String = ""
    ) async throws -> [CheckOutcome] {
        let lines = try await connection.lines("select business_date from subledger.runs where seal = $1", [.int(seal)])
        let last = try #require(lines.first)
        return try await inSession(seal: seal, zone: timeZone) { session in
            try await session.show(from: "-infinity", through: last)
            if !spoil.isEmpty { try await connection.script(spoil) }
            return try await ReportStage.outcomes(in: session, subscriptions: subscriptions, through: last)
        }
    }

    /// A script that puts a table, `book`, in the place of a report, changed by a statement.
    func spoiling(_ report: String, _ statement: String) -> String {
        """
        create temp table book on commit drop as select * from \(report);
        \(statement);
        drop view \(report);
        create temp view \(report) as select * from book
        """
    }

    func request(seal: Int64, zone: String) throws -> ReportRequest {
        ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate("2026-01-01")), asOf: .distantPast,
            timeZone: zone, directory: "")
    }

    /// As an issue does: over the kept tables where they stand at that seal, else over the session's own.
    private func inSession<R>(
        seal: Int64, zone: String, _ body: (SessionTables) async throws -> R
    ) async throws -> R {
        let session = SessionTables(connection: connection, request: try request(seal: seal, zone: zone))
        let position = try await KeptTables(connection: connection, timeZone: zone).position()
        if position?.isAt(seal, zone) != true { try await session.build() }
        let value = try await connection.withTransaction(.repeatableRead) { _ in
            try await session.show()
            return try await body(session)
        }
        try await session.discard()
        return value
    }
}
