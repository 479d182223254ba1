// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering
import SQLCatalog

/// The newest rows of the view `report.transactions`, for the workbook.
struct TransactionsSheet {
    let connection: PostgresConnection
    /// Of the view.
    let shape: ReportShape
    /// Rows of the view, of which the sheet has the newest.
    let rowCount: Int

    /// Within the transaction of the whole issue, while its days are shown: the rows are settled from here on.
    ///
    /// Throws `ReportError` or `PostgresError`.
    static func open(
        on connection: PostgresConnection, limit: Int = WorkbookDetail.rowLimit
    ) async throws -> TransactionsSheet {
        let transactions = SQL.Reports.Analysis.Transactions.self
        let count = try await connection.query(transactions.count).first?.int64("rows") ?? 0
        try await connection.execute(transactions.sheet, [.int(Int64(limit))])
        return TransactionsSheet(
            connection: connection, shape: try await ReportShape.read("transactions", on: connection),
            rowCount: Int(count))
    }

    /// Throws `ReportError` or `PostgresError`.
    func write(to workbook: WorkbookQueue) async throws {
        try await workbook.add { [shape, rowCount] in try await $0.beginDetail(shape, of: rowCount) }
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            let values = rows.map(\.texts)
            try await workbook.add { try await $0.append(values) }
            rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        try await workbook.add { try await $0.end() }
    }
}
