// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import Rendering

/// Reports of a seal, of some days and of a zone, as a session makes them from the whole history.
extension ReportWorld {
    /// The lines of a query over the reports' views, for example `churn`.
    func reported(
        _ sql: String, _ parameters: [PostgresValue] = [], seal: Int64 = 1, from first: String = "-infinity",
        through last: String, zone: String = "UTC"
    ) async throws -> [String] {
        try await inSession(seal: seal, zone: zone) { session in
            try await session.scopeSession(from: first, through: last)
            return try await connection.lines(sql, parameters)
        }
    }

    /// The same of several queries, in one session: making one costs more than reading it.
    func reported(each queries: [String], through last: String, zone: String) async throws -> [[String]] {
        try await inSession(seal: 1, zone: zone) { session in
            try await session.scopeSession(from: "-infinity", through: last)
            var found: [[String]] = []
            for query in queries { found.append(try await connection.lines(query)) }
            return found
        }
    }

    /// Names of the checks that find something.
    func failedChecks(
        seal: Int64 = 1, of part: CheckExtent = .everything, timeZone: String = "UTC", spoiledBy spoil: String = ""
    ) async throws -> [String] {
        try await outcomes(seal: seal, of: part, timeZone: timeZone, spoiledBy: spoil)
            .filter { !$0.passed }.map(\.name)
    }

    /// What the checks find, after a script has changed what the session shows.
    func outcomes(
        seal: Int64 = 1, of part: CheckExtent = .everything, timeZone: String = "UTC", spoiledBy spoil: String = ""
    ) async throws -> [CheckOutcome] {
        let lines = try await connection.lines("select business_date from subledger.runs where seal = $1", [.int(seal)])
        let last = try #require(lines.first)
        return try await inSession(seal: seal, zone: timeZone) { session in
            try await session.scopeSession(from: "-infinity", through: last)
            if !spoil.isEmpty { try await connection.script(spoil) }
            return try await BookChecks(session: session, businessDate: try businessDate)
                .run(on: part, through: last)
        }
    }

    /// What the checks of a night look at; nil: everything.
    func nextPart(seal: Int64, _ date: String) async throws -> (
        lineages: [Int64]?, days: [CheckedFigures: [String]]?
    ) {
        try await withNextPart(seal: seal, date) { part in
            let keys = try await connection.lines("select key from marked_lineages order by key")
            return (part.provenSeal == nil ? nil : keys.compactMap { Int64($0) }, part.days)
        }
    }

    /// What a check of rows finds in a night.
    func findings(of check: ReportCatalog.Check, seal: Int64, _ date: String) async throws -> [String] {
        try await withNextPart(seal: seal, date) { _ in
            try await connection.query(check.query).map { try $0.string("subject") }
        }
    }

    /// With the rows staged that the checks of a night look at.
    private func withNextPart<R>(
        seal: Int64, _ date: String, _ body: (CheckExtent) async throws -> R
    ) async throws -> R {
        let request = ReportRequest(
            seal: seal, runID: seal, businessDate: try #require(BusinessDate(date)), asOf: .distantPast, directory: "")
        return try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useMarts)
            let line = RowPipeline(connection: connection, timeZone: request.timeZone)
            try await line.prepareSession()
            try await line.scopeSession(seal: seal)
            let part = try await CheckExtent.next(request, connection)
            let session = SessionTables(connection: connection, request: request)
            try await BookChecks(session: session, businessDate: request.businessDate).gather(part)
            return try await body(part)
        }
    }

    /// Notes that the checks of a night passed.
    func rememberChecks(_ seal: Int64, fullProofOn date: String? = nil) async throws {
        try await connection.execute(
            SQL.Reports.Manifest.rememberChecks, [.int(seal), true, PostgresValue(date: date)])
    }

    /// A row of today for every subscription of the history, as its last change left it.
    func registerSubscriptions() async throws {
        try await connection.script(
            """
            insert into subledger.subscriptions (
                subscription_key, lineage_key, app_id, store, store_key, registered_at, state, end_reason, auto_renew,
                expires_at, grace_expires_at, ended_at, last_checked_at)
            select distinct on (image.subscription_key)
                image.subscription_key, image.lineage_key, image.app_id, image.store, image.subscription_key::text, now(),
                change.state, change.end_reason, change.auto_renew, change.expires_at, change.grace_expires_at,
                case when change.state in ('expired', 'revoked') then change.occurred_at end, now()
            from subledger.transaction_versions image
            join subledger.state_changes change on change.subscription_key = image.subscription_key
            order by image.subscription_key, image.version desc, change.change_id desc
            """)
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
            seal: seal, runID: seal, businessDate: try businessDate, asOf: .distantPast, timeZone: zone, directory: "")
    }

    /// Of requests about which nothing else is said.
    private var businessDate: BusinessDate {
        get throws { try #require(BusinessDate("2026-01-01")) }
    }

    /// As an issue does: over the kept tables where they stand at that seal, else over the session's own.
    private func inSession<R>(
        seal: Int64, zone: String, _ body: (SessionTables) async throws -> R
    ) async throws -> R {
        let session = SessionTables(connection: connection, request: try request(seal: seal, zone: zone))
        let position = try await MartTables(connection: connection, timeZone: zone).position()
        if position?.isAt(seal, zone) != true { try await session.buildTables() }
        let value = try await connection.withTransaction(.repeatableRead) { _ in
            try await session.defineViews()
            return try await body(session)
        }
        try await session.dropTables()
        return value
    }
}
