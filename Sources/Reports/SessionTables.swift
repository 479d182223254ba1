// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// A session's own tables and views under the names of the kept ones: reports of an earlier seal, of another time zone or of
/// some days are made by the same statements.
final class SessionTables {
    let connection: PostgresConnection
    let request: ReportRequest
    private let partSize: Int64
    private let progress: BuildProgress
    /// First and last day that the views show.
    private var days: (first: String, last: String)?
    /// Whether rows stand in the place of the views.
    private var isHeld = false

    init(
        connection: PostgresConnection, request: ReportRequest, partSize: Int64 = KeptTables.partSize,
        progress: @escaping BuildProgress = { _, _ in }
    ) {
        self.partSize = partSize
        self.connection = connection
        self.request = request
        self.progress = progress
    }

    /// Makes all tables as of the request's seal, part by part.
    func build() async throws {
        let line = ReportLine(connection: connection, timeZone: request.timeZone)
        let parts = try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            for table in MaterialisedTable.all {
                try await connection.executeScript(table.definition.made(in: .session))
            }
            try await connection.executeScript(MaterialisedTable.comparison.made(in: .session))
            try await connection.executeScript(SQL.Reports.Refresh.partKeysTable)
            return try await line.divide(partSize: partSize)
        }
        for part in 0..<parts {
            try await within(line) {
                try await line.touch(part: part)
                try await line.make(asOf: request.seal)
                try await line.add()
            }
            progress(part + 1, parts)
        }
        try await within(line) { _ = try await line.compare(asOf: request.seal) }
    }

    /// Within the transaction that reads: one view for each report, over the session's tables where it has any.
    func show() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.useSession)
        try await connection.executeScript(SQL.Reports.Refresh.begin)
        for view in SQL.Reports.views { try await connection.executeScript(view.made(in: .session)) }
    }

    /// Which days the views show from now on.
    func show(from first: String, through last: String) async throws(PostgresError) {
        if let days, days == (first, last) { return }
        if isHeld { try await release() }
        isHeld = false
        days = (first, last)
        try await ReportLine(connection: connection, timeZone: request.timeZone)
            .setScope(seal: request.seal, from: first, through: last)
    }

    /// Reads each report once: several files, checks and figures of the page rest on these days. A report over others is made
    /// of their rows, too. Views for BI tools are left as they are: of single transactions a few are asked for by key, through the
    /// index of the table below.
    func hold() async throws(PostgresError) {
        guard !isHeld else { return }
        for view in SQL.Reports.reportViews {
            let report = SQL.Reports.report(of: view)
            if SQL.Reports.viewsOverReports.contains(view) {
                try await connection.execute(SQL.Reports.Refresh.dropView, [.text(report)])
                try await connection.executeScript(view.made(in: .session))
            }
            try await connection.execute(SQL.Reports.Refresh.holdRows, [.text(report)])
        }
        isHeld = true
    }

    private func release() async throws(PostgresError) {
        for view in SQL.Reports.reportViews.reversed() {
            let report = SQL.Reports.report(of: view)
            try await connection.execute(SQL.Reports.Refresh.releaseRows, [.text(report)])
            guard SQL.Reports.viewsOverReports.contains(view) else { continue }
            try await connection.execute(SQL.Reports.Refresh.dropView, [.text(report)])
        }
        for view in SQL.Reports.viewsOverReports { try await connection.executeScript(view.made(in: .session)) }
    }

    /// Adds the days to come to what is held of the reports whose days stand for themselves.
    func holdDaysToCome(of reports: [String]) async throws(PostgresError) {
        try await connection.execute(SQL.Reports.Refresh.setScopeToCome)
        for report in reports { try await connection.execute(SQL.Reports.Refresh.holdDaysToCome, [.text(report)]) }
        days = nil
    }

    /// Ends the session's own tables, those that a report left which failed included.
    func discard() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.forgetSession)
    }

    private func within(
        _ line: ReportLine, _ body: () async throws -> Void
    ) async throws {
        try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            try await line.begin()
            try await body()
        }
    }
}
