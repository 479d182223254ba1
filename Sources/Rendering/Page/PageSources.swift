// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import SQLCatalog

/// What the page says that no file holds.
struct PageSources {
    /// The churn of some spans of thirty days.
    let windows: PageCube
    let missing: [PageVerdict.Missing]
    let stamp: PageStamp
    let provenance: PageProvenance
    /// Currencies in use, and the day of their newest exchange rate, where that is long before the report's last day.
    let staleRates: [(currency: String, newest: String)]
    /// The first and last of the dates right before the report's on which no night was sealed; nil where there are none.
    let gap: (first: String, last: String)?
    /// What the report of changes compares with; nil before the first issue.
    let lastIssue: Manifest.Previous?

    /// While all days are shown that the report is about.
    static func read(_ request: ReportRequest, on connection: PostgresConnection) async throws -> PageSources {
        let (spec, columns) = PageCube.windows
        var windows = try PageCube(
            name: "churn_windows", spec: spec, columns: columns, first: nil, last: request.lastDate)
        for row in try await connection.query(SQL.Reports.Page.churnWindows) { try windows.add(row.texts) }
        try windows.end()
        let missing = try await connection.query(SQL.Reports.Page.missing).compactMap { try PageVerdict.Missing($0) }
        guard let stamp = try await connection.query(SQL.Reports.Page.stamp, [.int(request.seal)]).first,
            let provenance = try await connection.query(SQL.Reports.Page.provenance).first
        else { throw ReportError(.definitions, "page/stamp.sql or page/provenance.sql gives no row") }
        let stale = try await connection.query(
            SQL.Reports.Page.staleRates, [.int(request.seal), .date(request.lastDate.description)])
        let gap = try await connection.query(
            SQL.Reports.Page.gap, [.int(request.seal), .date(request.businessDate.description)]
        ).first
        let last = try await connection.query(SQL.Reports.Refresh.lastIssue, [.int(request.seal)]).first
        return PageSources(
            windows: windows, missing: missing, stamp: try PageStamp(stamp),
            provenance: try PageProvenance(provenance),
            staleRates: try stale.map { (try $0.string("currency"), try $0.string("newest")) },
            gap: try gap.map { (try $0.string("first_date"), try $0.string("last_date")) },
            lastIssue: try last.flatMap(Manifest.Previous.init))
    }
}
