// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// `transactions.csv` of an export: every row of the view `report.transactions`. Issues have its newest rows in their workbook.
struct TransactionsFile {
    static let fileName = "transactions.csv"

    let connection: PostgresConnection
    let folder: ReportFolder

    /// Within the transaction of the whole export, while its days are shown; an issue has none. Throws `ReportError` or
    /// `PostgresError`.
    static func write(
        _ request: ReportRequest, on connection: PostgresConnection, to folder: ReportFolder
    ) async throws -> [String: Manifest.File] {
        guard request.isExport else { return [:] }
        let shape = try await ReportShape.read("transactions", on: connection)
        return [fileName: try await TransactionsFile(connection: connection, folder: folder).write(shape)]
    }

    private func write(_ shape: ReportShape) async throws -> Manifest.File {
        try await folder.start(Self.fileName)
        var header: [UInt8] = []
        CSVText.append(header: shape.columns, to: &header)
        try await folder.append(header, to: Self.fileName)
        try await connection.execute(SQL.Reports.Analysis.Transactions.file)
        var written = 0
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            async let following = connection.query(SQL.Reports.Manifest.fetchRows)
            var lines: [UInt8] = []
            for row in rows { CSVText.append(row.texts, columns: shape.columns, to: &lines) }
            try await folder.append(lines, to: Self.fileName)
            written += rows.count
            rows = try await following
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return Manifest.File(try await folder.finish(Self.fileName), rows: written)
    }
}
