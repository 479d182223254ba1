// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
package import Postgres
import Rendering
import SQLCatalog

/// Cites a figure of an issue: proves that it stands as it was issued, says what it is made of, and bridges it to today's.
///
/// The rest of the program only writes issues; this reads one. Nothing that it writes outlives its session.
package struct CitationStage {
    private let connection: PostgresConnection
    private let directory: String

    /// `directory`: the reports' folder: issues that are not where they were written are looked for in it.
    package init(connection: PostgresConnection, directory: String) {
        self.connection = connection
        self.directory = directory
    }

    /// `issue`: the name of its folder, for example `2026-05-03` or `2026-05-03.2`, or the path of an export's; nil:
    /// the newest issue.
    ///
    /// Throws `CitationError`, `ReportError` or `PostgresError`.
    package func cite(_ text: String, issue wanted: String?) async throws -> Citation {
        let issues = try await RecordedIssue.all(on: connection).issues
        let verifier = IssueVerifier(connection: connection, directory: directory)
        let found = try await proved(wanted, among: issues, by: verifier)
        let stamp = found.manifest.stamp
        let name = try await figure(text, stamp)
        let report = try Self.report(name.report, in: found)
        guard let file = found.manifest.files[report.fileName] else {
            throw CitationError(.name, "\(found.name) has no \(report.fileName)")
        }
        let contents = try await verifier.contents(of: report.fileName, file, in: found)
        let issue = Citation.Issue(found, file: report.fileName, described: file)
        return try await cite(name, of: report, from: contents, issue: issue, stamp: stamp)
    }

    /// A path names an export, or an issue; the name of an export is enough where exports are written to.
    private func proved(
        _ wanted: String?, among issues: [RecordedIssue], by verifier: IssueVerifier
    ) async throws(CitationError) -> ProvedReport {
        if let wanted {
            let path = wanted.contains("/") ? wanted : "\(ExportPlace.below(directory))/\(wanted)"
            if Manifest.read(in: path)?.isExport == true {
                return try await verifier.proved(export: path, among: issues)
            }
            if wanted.contains("/") {
                return try await verifier.proved(try Self.pick(at: path, among: issues), among: issues)
            }
        }
        return try await verifier.proved(try pick(wanted, among: issues), among: issues)
    }

    private static func pick(at folder: String, among issues: [RecordedIssue]) throws(CitationError) -> RecordedIssue {
        let sha256 = try? WrittenFile.describe("\(folder)/\(Manifest.fileName)").sha256
        if let issue = issues.last(where: { $0.sha256 == sha256 }) { return issue }
        throw CitationError(.name, "\(folder) is neither an export nor an issue that the database knows")
    }

    /// What the issue says, which is proved, and what the database makes of it.
    private func cite(
        _ name: FigureName, of report: ReportCatalog.Report, from contents: Data, issue: Citation.Issue,
        stamp: ReportStamp
    ) async throws -> Citation {
        let described = try await ReportShape.read(report.name, on: connection)
        let spec = try report.page.map { page throws(ReportError) in try PageSpec.read(page.text, of: report.name) }
        let issued = try IssuedRows(
            name, in: contents, columns: described.columns, spec: spec, place: "\(issue.name)/\(issue.file)")
        let tables = FigureTables(
            connection: connection, name: name, report: report, shape: issued.shape, stamp: stamp)
        let shape = FigureShape(report: report.name, columns: described.columns, spec: spec)
        let bridge = try await FigureBridge(tables: tables, shape: shape, stamp: stamp, seal: issue.seal)
            .read(from: issued.amount)
        let ledger = try await LedgerRows(name)?.read(
            on: connection, asOf: issue.seal, timeZone: stamp.timeZone, days: tables.days)
        // Of a report with one figure a row, what the figures are, too.
        let meant = name.columns + [spec?.pivot?.columns].compactMap(\.self)
        let columns = described.columns.filter { meant.contains($0.name) }
        return Citation(
            name: name, report: described.definition,
            formulas: columns.map { Citation.Formula(column: $0.name, definition: $0.definition) },
            hasOtherDefinitions: stamp.definitionsVersion != ReportIdentity.definitionsVersion, issue: issue,
            issued: issued.amount, rows: issued.rows, ledger: ledger, today: bridge.today,
            movements: bridge.movements)
    }

    /// Of several that have the name, the one that is below the reports' folder.
    private func pick(_ wanted: String?, among issues: [RecordedIssue]) throws(CitationError) -> RecordedIssue {
        guard let newest = issues.last else {
            throw CitationError(.name, "nothing was issued yet: run `subledger nightly` or `subledger report` first")
        }
        guard let wanted else { return newest }
        if let issue = try? Self.pick(at: "\(directory)/\(wanted)", among: issues) { return issue }
        if let issue = issues.last(where: { $0.name == wanted }) { return issue }
        throw CitationError(
            .name,
            "no issue is named \(wanted), or its checksum was never kept: the newest is \(newest.name)")
    }

    private func figure(_ text: String, _ stamp: ReportStamp) async throws -> FigureName {
        guard HeadlineFigures.isHeadline(text) else { return try FigureName(text) }
        guard let last = BusinessDate(stamp.lastDate) else {
            throw CitationError(.changed, "the manifest names no last day: \(stamp.lastDate)")
        }
        var columns: [String: [String]] = [:]
        for report in ReportCatalog.reports {
            columns[report.name] = try await ReportShape.read(report.name, on: connection).columns.map(\.name)
        }
        return try HeadlineFigures(through: last).figure(text) { columns[$0]?.contains($1) ?? false }
    }

    private static func report(
        _ name: String, in found: ProvedReport
    ) throws(CitationError) -> ReportCatalog.Report {
        if let report = ReportCatalog.reports.first(where: { $0.name == name }) { return report }
        let files = found.manifest.files.keys.filter { $0.hasSuffix(".csv") && !$0.contains("/") }
            .map { String($0.dropLast(4)) }.sorted()
        let near = Suggestion.nearest(to: name, among: files).map { "did you mean \($0)?" }
        throw CitationError(
            .name, "\(found.name) has no report \(name); \(near ?? "it has " + files.joined(separator: ", "))")
    }
}

extension Citation.Issue {
    init(_ found: ProvedReport, file: String, described: Manifest.File) {
        let stamp = found.manifest.stamp
        self.init(
            name: found.name, isExport: found.manifest.isExport, folder: found.folder, seal: stamp.seal,
            asOf: stamp.asOf, businessDate: stamp.businessDate, definitionsVersion: stamp.definitionsVersion,
            manifestSHA256: found.manifestSHA256, file: file, fileSHA256: described.sha256)
    }
}
