// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
package import Postgres
import Signing

/// Whether everything that was issued stands as it was issued.
package struct IssueVerification: Sendable {
    package let issueCount: Int
    package let fileCount: Int
    /// Issues from before checksums were kept: nothing can be proved of them.
    package let unprovenCount: Int
    /// A sentence for everything that is not as it was issued; none if all of it is.
    package let findings: [String]
}

/// Reads every issue again: its files against its manifest, its manifest against the database, and what it says of the issue
/// before it against the database, too.
///
/// A file that was changed differs from its manifest. A manifest that was changed with it differs from the database. If the
/// database was changed as well, the manifest of the next issue still names the old checksum.
package actor IssueVerifier {
    private nonisolated let executor = FileExecutor()
    private let connection: PostgresConnection
    private let directory: String
    private var findings: [String] = []
    private var fileCount = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// - Parameter directory: where the issues stand now, should their folder have been moved since.
    package init(connection: PostgresConnection, directory: String) {
        self.connection = connection
        self.directory = directory
    }

    /// Throws `PostgresError`; what cannot be read on the disk is a finding.
    package func verify() async throws(PostgresError) -> IssueVerification {
        let (issues, unproven) = try await RecordedIssue.all(on: connection)
        for issue in issues { verify(issue, among: issues) }
        return IssueVerification(
            issueCount: issues.count, fileCount: fileCount, unprovenCount: unproven, findings: findings)
    }

    /// The manifest of one issue, as it was issued. Throws `CitationError` where it is not.
    func manifest(of issue: RecordedIssue, among issues: [RecordedIssue]) throws(CitationError) -> Manifest {
        findings = []
        guard let manifest = verifiedManifest(of: issue, among: issues), findings.isEmpty else { throw refusal(issue) }
        return manifest
    }

    /// What one of its files holds, as it was issued. Throws `CitationError` where it was changed since.
    func contents(of file: String, _ description: Manifest.File, in issue: RecordedIssue) throws(CitationError) -> Data
    {
        findings = []
        let path = "\(issue.folder(in: directory))/\(file)"
        verify(description, at: path)
        guard findings.isEmpty, let contents = FileManager.default.contents(atPath: path),
            Hex.encode(SHA256.digest(contents)) == description.sha256
        else { throw refusal(issue) }
        return contents
    }

    private func refusal(_ issue: RecordedIssue) -> CitationError {
        CitationError(
            .changed,
            "\(findings.first ?? "the issue \(issue.name) changes while it is read"): put the folder \(issue.name) back from a "
                + "backup, or cite another issue; `subledger report --verify` names everything that was changed")
    }

    private func verify(_ issue: RecordedIssue, among issues: [RecordedIssue]) {
        guard let manifest = verifiedManifest(of: issue, among: issues) else { return }
        let folder = issue.folder(in: directory)
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) { verify(file, at: "\(folder)/\(name)") }
    }

    /// Nil, with a finding, where it cannot be read; with a finding where it is another one than was issued.
    private func verifiedManifest(of issue: RecordedIssue, among issues: [RecordedIssue]) -> Manifest? {
        let path = "\(issue.folder(in: directory))/\(Manifest.fileName)"
        guard let found = describe(path) else { return nil }
        if found.sha256 != issue.sha256 { findings.append("\(path) is not the one that was issued") }
        guard let manifest = try? Manifest(json: FileManager.default.contents(atPath: path) ?? Data()) else {
            findings.append("\(path) cannot be read as a manifest")
            return nil
        }
        if let previous = manifest.previous,
            issues.first(where: { $0.seal == previous.seal })?.sha256 != previous.sha256
        {
            findings.append(
                "\(path) follows another issue of \(previous.businessDate) than the database knows (seal \(previous.seal))"
            )
        }
        return manifest
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
