// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
import SQLCatalog

/// Reports: writes what the books say, as of a seal, to a new folder of files.
///
/// Everything is read in one snapshot, and files appear all at once or not at all. The same request gives the same
/// bytes; asked twice in a row, the second time changes nothing.
package struct ReportStage: Sendable {
    package init() {}

    /// True if a report of that date was issued there.
    package static func isIssued(_ date: BusinessDate, in directory: String) -> Bool {
        Issues(in: directory, of: date.description).newest != nil
    }

    /// Issues the report. A check that fails does not stop it: the report says "not reconciled" at its top, and so does
    /// the result. Throws `ReportError` or `PostgresError`; nothing is left behind then.
    package func issue(
        on connection: PostgresConnection, request: ReportRequest
    ) async throws -> IssuedReport {
        let folder = ReportFolder(directory: request.directory, businessDate: request.businessDate)
        do {
            try await folder.create()
            let sums = try await keepSums(request, connection)
            let (manifest, checks) = try await connection.withTransaction(.repeatableReadOnly) { connection in
                try await connection.execute(SQL.Reports.Manifest.settlePlans)
                return try await write(request, from: connection, into: folder)
            }
            let (path, isNew) = try await folder.publish(manifest)
            try await remember(checks, of: request, at: path, connection)
            return IssuedReport(path: path, isNew: isNew, checks: checks, sums: sums)
        } catch {
            await folder.discard()
            throw error
        }
    }

    /// The kept sums stand at the issue's seal afterwards, unless they stand beyond it.
    private func keepSums(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> [MovedSums] {
        guard request.sums != .leftAlone else { return [] }
        let rows = try await connection.query(
            SQL.Reports.Manifest.keepSums,
            [.int(request.seal), .text(request.timeZone), .bool(request.sums == .rebuilt)])
        var moved: [MovedSums] = []
        for row in rows {
            moved.append(
                MovedSums(
                    report: try row.string("report_name"), written: try row.int64("written"),
                    corrected: try row.int64("corrected")))
        }
        return moved
    }

    private func write(
        _ request: ReportRequest, from connection: PostgresConnection, into folder: ReportFolder
    ) async throws -> (Manifest, [CheckOutcome]) {
        let (tables, document) = try await writeTables(request, connection, folder)
        let checks = try await runChecks(request, connection)
        let coverage = try await readCoverage(request, connection)
        let figures = try await PageFigures.read(request, on: connection)
        let page = try ReportPage(
            request: request, tables: tables, checks: checks, coverage: coverage, figures: figures
        ).html()
        let written = try await write(page, to: ReportPage.fileName, in: folder)
        let files = describe(tables, [ReportJSON.fileName: document, ReportPage.fileName: written])
        let manifest = Manifest(request: request, checks: checks, coverage: coverage, files: files)
        try await write(try manifest.json(), to: Manifest.fileName, in: folder)
        return (manifest, checks)
    }

    /// Every CSV file, and the same rows in `report.json`.
    private func writeTables(
        _ request: ReportRequest, _ connection: PostgresConnection, _ folder: ReportFolder
    ) async throws -> ([ReportTable], FileSummary) {
        try await folder.start(ReportJSON.fileName)
        try await folder.append(try ReportJSON.opening(request), to: ReportJSON.fileName)
        var tables: [ReportTable] = []
        for report in ReportCatalog.reports {
            if !tables.isEmpty { try await folder.append(ReportJSON.separator, to: ReportJSON.fileName) }
            let export = ReportExport(report: report, request: request, connection: connection, folder: folder)
            tables.append(try await export.write())
        }
        try await folder.append(ReportJSON.ending + [UInt8(ascii: "\n")], to: ReportJSON.fileName)
        return (tables, try await folder.finish(ReportJSON.fileName))
    }

    private func runChecks(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> [CheckOutcome] {
        let subscriptions = try await subscriptionsToCheck(request, connection)
        var outcomes: [CheckOutcome] = []
        for check in ReportCatalog.checks {
            try await connection.execute(SQL.Reports.Manifest.settleLoops, [.bool(!check.provesRows)])
            let rows = try await connection.query(
                check.query,
                check.parameters(
                    seal: request.seal, subscriptions: subscriptions, timeZone: request.timeZone))
            outcomes.append(try CheckOutcome(name: check.name, rows: rows))
        }
        try await connection.execute(SQL.Reports.Manifest.settleLoops, [true])
        return outcomes
    }

    /// Those of which something was written since the books were last found to close, and a thirtieth of the others; nil:
    /// all, where the sums are made anew, and where an earlier seal is reckoned from the whole history.
    private func subscriptionsToCheck(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> [Int64]? {
        guard request.sums == .movedOn else { return nil }
        let rows = try await connection.query(
            SQL.Reports.Manifest.subscriptionsToCheck,
            [.int(request.seal), .date(request.businessDate.description)])
        return try rows.first?.optionalInt64Array("subscriptions")
    }

    /// What changes is told against this issue from now on; the next checks go on from here, or look at everything until
    /// the books close. The report of an earlier instant is no issue, and leaves nothing behind.
    private func remember(
        _ checks: [CheckOutcome], of request: ReportRequest, at path: String, _ connection: PostgresConnection
    ) async throws(PostgresError) {
        guard request.sums != .leftAlone else { return }
        try await connection.execute(
            SQL.Reports.Manifest.recordIssue,
            [.int(request.runID), .int(request.seal), .date(request.businessDate.description), .text(path)])
        try await connection.execute(
            SQL.Reports.Manifest.rememberChecks, [.int(request.seal), .bool(checks.allSatisfy(\.passed))])
    }

    private func readCoverage(
        _ request: ReportRequest, _ connection: PostgresConnection
    ) async throws(PostgresError) -> [Coverage] {
        var coverage: [Coverage] = []
        for row in try await connection.query(SQL.Reports.Manifest.coverage, [.int(request.seal)]) {
            coverage.append(try Coverage(row))
        }
        return coverage
    }

    @discardableResult
    private func write(
        _ bytes: [UInt8], to file: String, in folder: ReportFolder
    ) async throws(ReportError) -> FileSummary {
        try await folder.start(file)
        try await folder.append(bytes, to: file)
        return try await folder.finish(file)
    }

    /// Size and checksum of every file but the manifest.
    private func describe(
        _ tables: [ReportTable], _ documents: [String: FileSummary]
    ) -> [String: Manifest.File] {
        var files = documents.mapValues { Manifest.File($0, rows: nil) }
        for table in tables { files[table.fileName] = Manifest.File(table.file, rows: table.rowCount) }
        return files
    }
}
