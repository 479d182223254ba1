// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// One column of a report, with its definition as the database comments it.
struct ReportColumn: Hashable {
    let name: String
    /// Text may start with a character that spreadsheets take for a formula; numbers and dates may not be touched.
    let isText: Bool
    let definition: String
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
                name: try row.string("name"), isText: try row.bool("is_text"),
                definition: try row.string("definition"))
        }
        return ReportShape(definition: try first.string("report_definition"), columns: columns)
    }
}
