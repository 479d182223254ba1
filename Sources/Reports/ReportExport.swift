// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog

/// A report as it was written to its file.
struct ReportTable {
    let name: String
    let fileName: String
    let rowCount: Int
    let shape: ReportShape
    let file: FileSummary
}

/// Writes one report's CSV file and its part of `report.json`, a few thousand rows at a time.
struct ReportExport {
    let report: ReportCatalog.Report
    let connection: PostgresConnection
    let folder: ReportFolder

    /// Within the transaction of the whole issue. Throws `ReportError` or `PostgresError`.
    func write() async throws -> ReportTable {
        let shape = try await ReportShape.read(report.name, on: connection)
        try await folder.start(report.fileName)
        var header: [UInt8] = []
        CSVText.append(header: shape.columns, to: &header)
        try await folder.append(header, to: report.fileName)
        try await folder.append(try ReportJSON.opening(of: report.name, shape), to: ReportJSON.fileName)
        let rowCount = try await writeRows(shape.columns)
        try await folder.append(ReportJSON.ending, to: ReportJSON.fileName)
        let file = try await folder.finish(report.fileName)
        return ReportTable(
            name: report.name, fileName: report.fileName, rowCount: rowCount, shape: shape, file: file)
    }

    private func writeRows(_ columns: [ReportColumn]) async throws -> Int {
        try await connection.execute(report.query)
        var written = 0
        while true {
            let rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
            guard !rows.isEmpty else { break }
            let values = rows.map(\.texts)
            var lines: [UInt8] = []
            for row in values { CSVText.append(row, columns: columns, to: &lines) }
            try await folder.append(lines, to: report.fileName)
            try await folder.append(
                try ReportJSON.rows(values, columns, areFirst: written == 0), to: ReportJSON.fileName)
            written += rows.count
        }
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return written
    }
}
