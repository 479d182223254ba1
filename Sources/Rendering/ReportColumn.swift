// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// One column of a report, with its definition as the database comments it.
struct ReportColumn: Hashable {
    enum Kind: String {
        case text, date, instant, count
        /// An amount in currency units, a share or a rate.
        case decimal
    }

    let name: String
    let kind: Kind
    let definition: String

    /// Text may start with a character that spreadsheets take for a formula; numbers and dates may not be touched.
    var isText: Bool { kind == .text }
}

/// A report's columns in order, and what the report is.
struct ReportShape {
    let definition: String
    let columns: [ReportColumn]

    /// Reads them from the view `report.<name>`. Throws `ReportError` if there is no such view.
    static func read(_ report: String, on connection: PostgresConnection) async throws -> ReportShape {
        let rows = try await connection.query(SQL.Reports.Manifest.columns, [.text(report)])
        guard let first = rows.first else {
            throw ReportError(
                .definitions, "the database has no view report.\(report): run `subledger migrate` with this version")
        }
        let columns = try rows.map { row in
            ReportColumn(
                name: try row.string("name"), kind: .init(rawValue: try row.string("kind")) ?? .decimal,
                definition: try row.string("definition"))
        }
        return ReportShape(definition: try first.string("report_definition"), columns: columns)
    }
}
