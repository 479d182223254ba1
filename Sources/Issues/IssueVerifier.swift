// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
package import Postgres
import Signing

/// Reads every issue again: its files against its manifest, its manifest against the database, and what it says of the issue
/// before it against the database, too.
///
/// A file that was changed differs from its manifest. A manifest that was changed with it differs from the database. If the
/// database was changed as well, the manifest of the next issue still names the old checksum. An export has no record: its files
/// are compared with its manifest, and what that says of an issue with the database.
package actor IssueVerifier {
    private nonisolated let executor = BlockingExecutor(label: "subledger.reports")
    private let connection: PostgresConnection
    private let directory: String
    private var findings: [String] = []
    private var fileCount = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// `directory`: the reports' folder: issues that are not where they were written are looked for in it.
    package init(connection: PostgresConnection, directory: String) {
        self.connection = connection
        self.directory = directory
    }

    /// Of all issues.
    ///
    /// Throws `PostgresError`; what cannot be read on the disk is a finding.
    package func verify() async throws(PostgresError) -> IssueVerification {
        let (issues, unproven) = try await RecordedIssue.all(on: connection)
        var folders = IssueFolders(of: issues, below: directory)
        var (issueCount, prunedCount) = (0, 0)
        for issue in issues {
            switch folders.place(of: issue) {
            case .found(let folder), .changed(let folder):
                issueCount += 1
                verify(issue, in: folder, among: issues)
            case .pruned: prunedCount += 1
            case .gone: findings.append(Self.absence(of: issue, below: directory))
            }
        }
        return IssueVerification(
            issueCount: issueCount, fileCount: fileCount, prunedCount: prunedCount, unprovenCount: unproven,
            findings: findings)
    }

    /// Of one export, by its folder.
    ///
    /// Throws `PostgresError`; what is no export is a finding.
    package func verify(export folder: String) async throws(PostgresError) -> IssueVerification {
        let issues = try await RecordedIssue.all(on: connection).issues
        if let manifest = manifest(of: folder, comparedAmong: issues) { verifyFiles(of: manifest, in: folder) }
        return IssueVerification(
            issueCount: 0, fileCount: fileCount, prunedCount: 0, unprovenCount: 0, findings: findings)
    }

    /// An issue that is as it was issued, with its manifest.
    ///
    /// Throws `CitationError` where it is not.
    func proved(_ issue: RecordedIssue, among issues: [RecordedIssue]) throws(CitationError) -> ProvedReport {
        var folders = IssueFolders(of: issues, below: directory)
        findings = []
        switch folders.place(of: issue) {
        case .found(let folder), .changed(let folder):
            guard let manifest = manifest(of: issue, in: folder, among: issues), findings.isEmpty else {
                throw refusal(issue.name)
            }
            return ProvedReport(name: issue.name, folder: folder, manifest: manifest, manifestSHA256: issue.sha256)
        case .gone: throw Self.refusal(Self.absence(of: issue, below: directory), of: issue)
        case .pruned: throw Self.refusal("the issue \(issue.name) was pruned", of: issue)
        }
    }

    /// An export that is as its own manifest has it.
    ///
    /// Throws `CitationError` where it is none, or is not.
    func proved(export folder: String, among issues: [RecordedIssue]) throws(CitationError) -> ProvedReport {
        findings = []
        let name = (folder as NSString).lastPathComponent
        guard let manifest = manifest(of: folder, comparedAmong: issues), findings.isEmpty,
            let described = describe("\(folder)/\(Manifest.fileName)")
        else { throw refusal(name) }
        return ProvedReport(name: name, folder: folder, manifest: manifest, manifestSHA256: described.sha256)
    }

    /// What one of its files holds.
    ///
    /// Throws `CitationError` where it was changed since.
    func contents(of file: String, _ description: Manifest.File, in report: ProvedReport) throws(CitationError) -> Data
    {
        findings = []
        let path = "\(report.folder)/\(file)"
        verify(description, at: path)
        guard findings.isEmpty, let contents = FileManager.default.contents(atPath: path),
            Hex.encode(SHA256.digest(contents)) == description.sha256
        else { throw refusal(report.name) }
        return contents
    }

    private func refusal(_ name: String) -> CitationError {
        CitationError(
            .changed,
            "\(findings.first ?? "the report \(name) changes while it is read"): put the folder \(name) back from a "
                + "backup, or cite another issue; `subledger report --verify` names everything that was changed")
    }

    private static func refusal(_ reason: String, of issue: RecordedIssue) -> CitationError {
        CitationError(
            .gone,
            "\(reason): `subledger report --as-of \(issue.asOf.iso8601)` writes the same tables again, and "
                + "`cite --issue FOLDER` cites them there")
    }

    private static func absence(of issue: RecordedIssue, below directory: String) -> String {
        "the issue \(issue.name) of seal \(issue.seal) is gone: it is neither at \(issue.path), where it was written, nor "
            + "below \(directory)"
    }

    private func verify(_ issue: RecordedIssue, in folder: String, among issues: [RecordedIssue]) {
        guard let manifest = manifest(of: issue, in: folder, among: issues) else { return }
        verifyFiles(of: manifest, in: folder)
    }

    private func verifyFiles(of manifest: Manifest, in folder: String) {
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) { verify(file, at: "\(folder)/\(name)") }
    }

    /// Nil, with a finding, where it cannot be read; with a finding where it is another one than was issued.
    private func manifest(of issue: RecordedIssue, in folder: String, among issues: [RecordedIssue]) -> Manifest? {
        let path = "\(folder)/\(Manifest.fileName)"
        guard let found = describe(path) else { return nil }
        if found.sha256 != issue.sha256 { findings.append("\(path) is not the one that was issued") }
        guard let manifest = readable(path) else { return nil }
        if let previous = manifest.previous, !isKnown(previous, among: issues) {
            findings.append(
                "\(path) follows another issue of \(previous.businessDate) than the database knows (seal \(previous.seal))"
            )
        }
        return manifest
    }

    /// That of an export.
    ///
    /// Nil, with a finding, where there is none.
    private func manifest(of export: String, comparedAmong issues: [RecordedIssue]) -> Manifest? {
        let path = "\(export)/\(Manifest.fileName)"
        guard describe(path) != nil, let manifest = readable(path) else { return nil }
        guard manifest.isExport else {
            findings.append("\(export) is no export: without a folder all issues are proved")
            return nil
        }
        if let compared = manifest.comparedWith, !isKnown(compared, among: issues) {
            findings.append(
                "\(path) is compared with another issue of \(compared.businessDate) than the database knows (seal "
                    + "\(compared.seal))")
        }
        return manifest
    }

    private func readable(_ path: String) -> Manifest? {
        if let manifest = try? Manifest(json: FileManager.default.contents(atPath: path) ?? Data()) { return manifest }
        findings.append("\(path) cannot be read as a manifest")
        return nil
    }

    private func isKnown(_ issue: Manifest.Previous, among issues: [RecordedIssue]) -> Bool {
        issues.first { $0.seal == issue.seal }?.sha256 == issue.sha256
    }

    private func verify(_ file: Manifest.File, at path: String) {
        guard let found = describe(path) else { return }
        if found.sha256 != file.sha256 { findings.append("\(path) was changed since it was issued") }
    }

    /// Nil, with a finding, where there is no such file.
    private func describe(_ path: String) -> FileSummary? {
        fileCount += 1
        do {
            return try WrittenFile.describe(path)
        } catch {
            findings.append("\(path) cannot be read: \(SystemReason.of(error))")
            return nil
        }
    }
}
