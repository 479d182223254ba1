// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering
import SQLCatalog

/// Writes one report's CSV file, its part of `report.json` and its sheet, and hands its rows to the page, a few thousand rows at a
/// time.
struct ReportExport {
    let report: ReportCatalog.Report
    let connection: PostgresConnection
    let folder: ReportFolder
    let request: ReportRequest

    /// Within the transaction of the whole issue.
    ///
    /// Throws `ReportError` or `PostgresError`. Returns the report as it was written, and what the manifest says of its
    /// file and of the copy in another profile, by name.
    func write(_ workbook: WorkbookQueue) async throws -> (ReportTable, files: [String: Manifest.File]) {
        let shape = try await ReportShape.read(report.name, on: connection)
        let file = TableFile(
            name: report.fileName, columns: shape.columns, folder: folder, copies: request.copies)
        try await file.start()
        try await folder.append(try ReportJSON.opening(of: report.name, shape), to: ReportJSON.fileName)
        try await workbook.add { [name = report.name] in try await $0.begin(name, shape) }
        var section = try PageSection(report.name, page: report.page, shape: shape, of: request.identity)
        let rowCount = try await writeRows(to: file, &section, workbook)
        try await folder.append(ReportJSON.ending, to: ReportJSON.fileName)
        try await workbook.add { try await $0.end() }
        let table = ReportTable(
            name: report.name, fileName: report.fileName, rowCount: rowCount, shape: shape, section: section)
        return (table, try await file.finish(rows: rowCount))
    }

    private func writeRows(
        to file: TableFile, _ section: inout PageSection, _ workbook: WorkbookQueue
    ) async throws -> Int {
        try await connection.execute(report.query)
        var written = 0
        var rows = try await connection.query(SQL.Reports.Manifest.fetchRows)
        while !rows.isEmpty {
            // The server makes the next rows while these are written.
            async let following = connection.query(SQL.Reports.Manifest.fetchRows)
            let values = rows.map(\.texts)
            try section.add(values)
            try await workbook.add { try await $0.append(values) }
            try await file.append(values)
            try await folder.append(
                try ReportJSON.rows(values, file.columns, areFirst: written == 0), to: ReportJSON.fileName)
            written += rows.count
            rows = try await following
        }
        try section.end()
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return written
    }
}
