// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Rendering
import SQLCatalog

extension PageSources {
    /// While all days are shown that the report is about.
    static func read(
        _ report: ReportIdentity, comparedWith last: Manifest.Previous?, on connection: PostgresConnection
    ) async throws -> PageSources {
        let (spec, columns) = PageCube.windows
        var windows = try PageCube(
            name: "churn_windows", spec: spec, columns: columns, first: nil, last: report.lastDate)
        for row in try await connection.query(SQL.Reports.Page.churnWindows) { try windows.add(row.texts) }
        try windows.end()
        let missing = try await connection.query(SQL.Reports.Page.missing).compactMap { try PageVerdict.Missing($0) }
        guard let stamp = try await connection.query(SQL.Reports.Page.stamp, [.int(report.seal)]).first,
            let provenance = try await connection.query(SQL.Reports.Page.provenance).first
        else { throw ReportError(.definitions, "page/stamp.sql or page/provenance.sql gives no row") }
        let stale = try await connection.query(
            SQL.Reports.Page.staleRates, [.int(report.seal), .date(report.lastDate.description)])
        let gap = try await connection.query(
            SQL.Reports.Page.gap, [.int(report.seal), .date(report.businessDate.description)]
        ).first
        let titles = try await connection.query(SQL.Reports.Page.appTitles, [.int(report.seal)])
        return PageSources(
            windows: windows, missing: missing, stamp: try PageStamp(stamp),
            provenance: try PageProvenance(provenance),
            staleRates: try stale.map { (try $0.string("currency"), try $0.string("newest")) },
            gap: try gap.map { (try $0.string("first_date"), try $0.string("last_date")) },
            lastIssue: last.map { ($0.businessDate, $0.seal) },
            titles: Dictionary(
                try titles.map { (try $0.string("app_id"), try $0.string("title")) }, uniquingKeysWith: { $1 }))
    }
}

extension PageStamp {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            currency: try row.string("currency"), observedSince: try row.optionalString("observed_since"),
            rateSources: try row.optionalString("rate_sources"), newestRate: try row.optionalString("newest_rate"),
            rulesComparedOn: try row.string("rules_compared_on"))
    }
}

extension PageProvenance {
    fileprivate init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            proceeds: try row.optionalInt64("proceeds"), unconverted: try row.int64("unconverted"),
            estimated: try row.optionalInt64("estimated"), missing: try row.optionalInt64("missing"),
            listed: try row.optionalInt64("listed"))
    }
}

extension PageVerdict.Missing {
    /// Nil of what this version does not know.
    fileprivate init?(_ row: PostgresRow) throws(PostgresError) {
        guard let kind = Kind(rawValue: try row.string("what")) else { return nil }
        self.init(appID: try row.string("app_id"), kind: kind, number: try row.int64("number"))
    }
}
