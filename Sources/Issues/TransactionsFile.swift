// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering
import SQLCatalog

/// `transactions.csv` of an export: every row of the view `report.transactions`.
///
/// Issues have its newest rows in their workbook.
struct TransactionsFile {
    static let fileName = "transactions.csv"

    let connection: PostgresConnection
    let folder: ReportFolder
    let copies: CSVCopies?

    /// Within the transaction of the whole export, while its days are shown; none of an issue.
    ///
    /// Throws `ReportError` or `PostgresError`.
    static func write(
        _ request: ReportRequest, on connection: PostgresConnection, to folder: ReportFolder
    ) async throws -> [String: Manifest.File] {
        guard request.isExport else { return [:] }
        let shape = try await ReportShape.read("transactions", on: connection)
        return try await TransactionsFile(connection: connection, folder: folder, copies: request.copies).write(shape)
    }

    private func write(_ shape: ReportShape) async throws -> [String: Manifest.File] {
        let file = TableFile(name: Self.fileName, columns: shape.columns, folder: folder, copies: copies)
        try await file.start()
        try await connection.execute(SQL.Reports.Analysis.Transactions.file)
        var written = 0
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            async let following = connection.query(SQL.Reports.Manifest.fetchRows)
            try await file.append(rows.map(\.texts))
            written += rows.count
            rows = try await following
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return try await file.finish(rows: written)
    }
}
