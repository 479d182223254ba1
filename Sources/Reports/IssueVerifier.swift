// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
package import Postgres
import SQLCatalog

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
        let rows = try await connection.query(SQL.Reports.Manifest.issues)
        let issues = try rows.map { row throws(PostgresError) in try Issue(row) }.compactMap(\.self)
        let known = Dictionary(issues.map { ($0.seal, $0.sha256) }) { first, _ in first }
        for issue in issues { verify(issue, known) }
        return IssueVerification(
            issueCount: issues.count, fileCount: fileCount, unprovenCount: rows.count - issues.count, findings: findings
        )
    }

    private struct Issue {
        let seal: Int64
        let path: String
        let sha256: String

        var name: String { (path as NSString).lastPathComponent }

        /// Nil where no checksum was kept.
        init?(_ row: PostgresRow) throws(PostgresError) {
            guard let sha256 = try row.optionalString("manifest_sha256") else { return nil }
            self.sha256 = sha256
            seal = try row.int64("seal")
            path = try row.string("path")
        }
    }

    private func verify(_ issue: Issue, _ known: [Int64: String]) {
        let folder = FileManager.default.fileExists(atPath: issue.path) ? issue.path : "\(directory)/\(issue.name)"
        let path = "\(folder)/\(Manifest.fileName)"
        guard let found = describe(path) else { return }
        if found.sha256 != issue.sha256 { findings.append("\(path) is not the one that was issued") }
        guard let manifest = try? Manifest(json: FileManager.default.contents(atPath: path) ?? Data()) else {
            findings.append("\(path) cannot be read as a manifest")
            return
        }
        if let previous = manifest.previous, known[previous.seal] != previous.sha256 {
            findings.append(
                "\(path) follows another issue of \(previous.businessDate) than the database knows (seal \(previous.seal))"
            )
        }
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) { verify(file, at: "\(folder)/\(name)") }
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
