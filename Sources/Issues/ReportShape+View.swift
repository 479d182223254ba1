// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering
import SQLCatalog

extension ReportShape {
    /// Reads them from the view `report.<name>`.
    ///
    /// Throws `ReportError` if there is no such view.
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
