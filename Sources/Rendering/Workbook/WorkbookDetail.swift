// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// The sheet of single transactions: a window on the view `report.transactions`, whose newest rows it has. Ids are text, purchase
/// tokens are not among them.
struct WorkbookDetail {
    static let sheetName = "Detail"
    /// Rows at most: the newest.
    static let rowLimit = 20_000

    let connection: PostgresConnection
    /// Of the view.
    let shape: ReportShape
    /// Rows of the view, of which the sheet has the newest.
    let rowCount: Int

    /// Within the transaction of the whole issue, while its days are shown: the rows are settled from here on. Throws `ReportError`
    /// or `PostgresError`.
    static func open(on connection: PostgresConnection, limit: Int = rowLimit) async throws -> WorkbookDetail {
        let transactions = SQL.Reports.Analysis.Transactions.self
        let count = try await connection.query(transactions.count).first?.int64("rows") ?? 0
        try await connection.execute(transactions.sheet, [.int(Int64(limit))])
        return WorkbookDetail(
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
