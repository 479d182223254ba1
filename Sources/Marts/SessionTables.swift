// SPDX-License-Identifier: Apache-2.0

package import Postgres
import SQLCatalog

/// A session's own tables and views under the names of the marts: reports of an earlier seal, of another time zone or of
/// some days are made by the same statements.
package final class SessionTables {
    package let connection: PostgresConnection
    package let seal: Int64
    package let timeZone: String
    private let partSize: Int64
    private let progress: BuildProgress
    /// First and last day that the views show.
    private var days: (first: String, last: String)?
    /// Whether rows stand in the place of the views.
    private var areReportsMaterialised = false

    package init(
        connection: PostgresConnection, seal: Int64, timeZone: String, partSize: Int64 = MartTables.partSize,
        progress: @escaping BuildProgress = { _, _ in }
    ) {
        self.partSize = partSize
        self.connection = connection
        (self.seal, self.timeZone) = (seal, timeZone)
        self.progress = progress
    }

    /// Makes all tables as of the request's seal, part by part.
    package func buildTables() async throws {
        let line = RowPipeline(connection: connection, timeZone: timeZone)
        let parts = try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            for table in MaterialisedTable.all {
                try await connection.executeScript(table.definition.made(in: .session))
            }
            try await connection.executeScript(MaterialisedTable.comparison.made(in: .session))
            try await connection.executeScript(SQL.Reports.Refresh.partKeysTable)
            return try await line.divideLineages(partSize: partSize)
        }
        for part in 0..<parts {
            try await within(line) {
                try await line.markLineages(ofPart: part)
                try await line.makeRows(asOf: seal)
                try await line.addRows()
            }
            progress(part + 1, parts)
        }
        try await within(line) { _ = try await line.compareWithLastIssue(asOf: seal) }
    }

    /// Within the transaction that reads: one view for each report, over the session's tables where it has any.
    package func defineViews() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.useSession)
        try await connection.executeScript(SQL.Reports.Refresh.begin)
        for view in SQL.Reports.views { try await connection.executeScript(view.made(in: .session)) }
    }

    /// Which days the views show from now on.
    package func scopeSession(from first: String, through last: String) async throws(PostgresError) {
        if let days, days == (first, last) { return }
        if areReportsMaterialised { try await releaseReports() }
        areReportsMaterialised = false
        days = (first, last)
        try await RowPipeline(connection: connection, timeZone: timeZone)
            .scopeSession(seal: seal, from: first, through: last)
    }

    /// Reads each report once: several files, checks and figures of the page rest on these days.
    ///
    /// A report over others is made of their rows, too. Views for BI tools are left as they are: of single transactions
    /// a few are asked for by key, through the index of the table below.
    package func materialiseReports() async throws(PostgresError) {
        guard !areReportsMaterialised else { return }
        for view in SQL.Reports.reportViews {
            let report = SQL.Reports.report(of: view)
            if SQL.Reports.viewsOverReports.contains(view) {
                try await connection.execute(SQL.Reports.Refresh.dropView, [.text(report)])
                try await connection.executeScript(view.made(in: .session))
            }
            try await connection.execute(SQL.Reports.Refresh.materialiseRows, [.text(report)])
        }
        areReportsMaterialised = true
    }

    private func releaseReports() async throws(PostgresError) {
        for view in SQL.Reports.reportViews.reversed() {
            let report = SQL.Reports.report(of: view)
            try await connection.execute(SQL.Reports.Refresh.releaseRows, [.text(report)])
            guard SQL.Reports.viewsOverReports.contains(view) else { continue }
            try await connection.execute(SQL.Reports.Refresh.dropView, [.text(report)])
        }
        for view in SQL.Reports.viewsOverReports { try await connection.executeScript(view.made(in: .session)) }
    }

    /// Adds the days to come to what is held of the reports whose days stand for themselves.
    package func materialiseDaysToCome(of reports: [String]) async throws(PostgresError) {
        try await connection.execute(SQL.Reports.Refresh.setScopeToCome)
        for report in reports {
            try await connection.execute(SQL.Reports.Refresh.materialiseDaysToCome, [.text(report)])
        }
        days = nil
    }

    /// Ends the session's own tables, those that a report left which failed included.
    package func dropTables() async throws(PostgresError) {
        try await connection.executeScript(SQL.Reports.Refresh.forgetSession)
    }

    private func within(
        _ line: RowPipeline, _ body: () async throws -> Void
    ) async throws {
        try await connection.withTransaction { connection in
            try await connection.executeScript(SQL.Reports.Refresh.useSession)
            try await line.prepareSession()
            try await body()
        }
    }
}
