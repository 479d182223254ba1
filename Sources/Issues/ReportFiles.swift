// SPDX-License-Identifier: Apache-2.0

import Postgres
import Rendering

/// The files of one report as they are written to its folder: the tables, the page, its head as values, the workbook.
struct ReportFiles {
    let request: ReportRequest
    let folder: ReportFolder
    let workbook: WorkbookQueue

    /// Every CSV file, and the same rows in `report.json` and in the workbook.
    func writeTables(
        from connection: PostgresConnection
    ) async throws -> (all: [ReportTable], files: [[String: Manifest.File]], document: FileSummary) {
        try await workbook.add { try await $0.open(ReportCatalog.reports.map(\.name)) }
        try await folder.start(ReportJSON.fileName)
        try await folder.append(try ReportJSON.opening(request.identity), to: ReportJSON.fileName)
        var (tables, files): ([ReportTable], [[String: Manifest.File]]) = ([], [])
        for report in ReportCatalog.reports {
            if !tables.isEmpty { try await folder.append(ReportJSON.separator, to: ReportJSON.fileName) }
            let export = ReportExport(report: report, connection: connection, folder: folder, request: request)
            let (table, described) = try await export.write(workbook)
            tables.append(table)
            files.append(described)
        }
        try await folder.append(ReportJSON.ending + [UInt8(ascii: "\n")], to: ReportJSON.fileName)
        return (tables, files, try await folder.finish(ReportJSON.fileName))
    }

    /// The page, its head as values, and the workbook.
    func writeDocuments(
        _ page: ReportPage, checks: [CheckOutcome], coverage: [Coverage]
    ) async throws -> [String: FileSummary] {
        let (warnings, titles) = (try page.warnings(in: "en"), page.titles)
        let book = await workbook.end { [folder] workbook in
            try await workbook.finish(checks: checks, coverage: coverage, titles: titles, warnings: warnings)
            return try await folder.save(ReportWorkbook.fileName)
        }
        return [
            ReportPage.fileName: try await write(try page.html(), to: ReportPage.fileName),
            IssueSummary.fileName: try await write(try page.summary().json(), to: IssueSummary.fileName),
            ReportWorkbook.fileName: try await book.value,
        ]
    }

    @discardableResult
    func write(_ bytes: [UInt8], to file: String) async throws(ReportError) -> FileSummary {
        try await folder.start(file)
        try await folder.append(bytes, to: file)
        return try await folder.finish(file)
    }

    /// Size and checksum of every file but the manifest.
    static func describe(
        _ documents: [String: FileSummary], tables: [[String: Manifest.File]]
    ) -> [String: Manifest.File] {
        tables.reduce(into: documents.mapValues { Manifest.File($0, rows: nil) }) { files, more in
            files.merge(more) { $1 }
        }
    }
}
