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
    /// Of its copy in another profile.
    let copy: FileSummary?
    /// What the page shows of it.
    let section: PageSection
}

/// Writes one report's CSV file, its part of `report.json` and its sheet, and hands its rows to the page, a few thousand rows at a
/// time.
struct ReportExport {
    let report: ReportCatalog.Report
    let connection: PostgresConnection
    let folder: ReportFolder
    let request: ReportRequest

    /// Within the transaction of the whole issue. Throws `ReportError` or `PostgresError`.
    func write(_ workbook: WorkbookQueue) async throws -> ReportTable {
        let shape = try await ReportShape.read(report.name, on: connection)
        try await folder.start(report.fileName)
        var header: [UInt8] = []
        CSVText.append(header: shape.columns, to: &header)
        try await folder.append(header, to: report.fileName)
        try await folder.append(try ReportJSON.opening(of: report.name, shape), to: ReportJSON.fileName)
        try await workbook.add { [name = report.name] in try await $0.begin(name, shape) }
        try await startCopy(shape.columns)
        var section = try PageSection(report: report, shape: shape, request: request)
        let rowCount = try await writeRows(shape.columns, &section, workbook)
        try await folder.append(ReportJSON.ending, to: ReportJSON.fileName)
        try await workbook.add { try await $0.end() }
        let copy = try await finishCopy()
        let file = try await folder.finish(report.fileName)
        return ReportTable(
            name: report.name, fileName: report.fileName, rowCount: rowCount, shape: shape, file: file, copy: copy,
            section: section)
    }

    private func startCopy(_ columns: [ReportColumn]) async throws(ReportError) {
        guard let copies = request.copies else { return }
        let path = copies.path(of: report.fileName)
        try await folder.start(path)
        try await folder.append(copies.header(columns), to: path)
    }

    private func appendToCopy(_ rows: [[String?]], _ columns: [ReportColumn]) async throws(ReportError) {
        guard let copies = request.copies else { return }
        try await folder.append(copies.lines(rows, columns), to: copies.path(of: report.fileName))
    }

    private func finishCopy() async throws(ReportError) -> FileSummary? {
        guard let copies = request.copies else { return nil }
        return try await folder.finish(copies.path(of: report.fileName))
    }

    private func writeRows(
        _ columns: [ReportColumn], _ section: inout PageSection, _ workbook: WorkbookQueue
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
            var lines: [UInt8] = []
            for row in values { CSVText.append(row, columns: columns, to: &lines) }
            try await folder.append(lines, to: report.fileName)
            try await appendToCopy(values, columns)
            try await folder.append(
                try ReportJSON.rows(values, columns, areFirst: written == 0), to: ReportJSON.fileName)
            written += rows.count
            rows = try await following
        }
        try section.end()
        try await connection.execute(SQL.Reports.Manifest.closeRows)
        return written
    }
}
