// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// `transactions.csv` of an export: every row of the view `report.transactions`. Issues have its newest rows in their workbook.
struct TransactionsFile {
    static let fileName = "transactions.csv"

    let connection: PostgresConnection
    let folder: ReportFolder
    /// Where it is written in the export's folder, and how.
    let places: [(path: String, profile: CSVProfile)]

    /// Within the transaction of the whole export, while its days are shown; an issue has none. Throws `ReportError` or
    /// `PostgresError`.
    static func write(
        _ request: ReportRequest, on connection: PostgresConnection, to folder: ReportFolder
    ) async throws -> [String: Manifest.File] {
        guard request.isExport else { return [:] }
        let copy = request.copies.map { (path: $0.path(of: fileName), profile: $0.profile) }
        let file = TransactionsFile(
            connection: connection, folder: folder, places: [(fileName, .issued)] + [copy].compactMap(\.self))
        return try await file.write(try await ReportShape.read("transactions", on: connection).columns)
    }

    private func write(_ columns: [ReportColumn]) async throws -> [String: Manifest.File] {
        for (path, profile) in places {
            try await folder.start(path)
            var header = profile.opening
            CSVText.append(header: columns, as: profile, to: &header)
            try await folder.append(header, to: path)
        }
        let rowCount = try await writeRows(columns)
        var files: [String: Manifest.File] = [:]
        for (path, _) in places { files[path] = Manifest.File(try await folder.finish(path), rows: rowCount) }
        return files
    }

    private func writeRows(_ columns: [ReportColumn]) async throws -> Int {
        try await connection.execute(SQL.Reports.Analysis.Transactions.file)
        var written = 0
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            async let following = connection.query(SQL.Reports.Manifest.fetchRows)
            let values = rows.map(\.texts)
            for (path, profile) in places {
                var lines: [UInt8] = []
                for row in values { CSVText.append(row, columns: columns, as: profile, to: &lines) }
                try await folder.append(lines, to: path)
            }
            written += rows.count
            rows = try await following
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return written
    }
}
