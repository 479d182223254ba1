// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Model
package import Postgres
import Rendering
import SQLCatalog

/// The folder that holds all issues, beside what the database has recorded of them: what is in the one and not in the other.
package actor ReportDirectory {
    /// A manifest with a higher number is no word of ours: seals would come to their end.
    private static let highestSeal: Int64 = 1_000_000_000_000

    private nonisolated let executor = BlockingExecutor(label: "subledger.reports")
    private let directory: String
    private let connection: PostgresConnection

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    package init(_ directory: String, on connection: PostgresConnection) {
        self.directory = directory
        self.connection = connection
    }

    /// What is asked before a run is sealed: the highest seal of an issue there of which the database has no record; 0: none.
    package static func highestSeal(in directory: String) -> @Sendable (PostgresConnection) async throws -> Int64 {
        { try await ReportDirectory(directory, on: $0).unrecorded().highestSeal }
    }

    /// Issues there, and exports below, of seals that the database never gave.
    ///
    /// Throws `PostgresError`; what cannot be read on the disk is a finding.
    package func unrecorded() async throws(PostgresError) -> UnrecordedIssues {
        var findings: [String] = []
        let issues = names(in: directory, &findings).filter(IssueNames.isOfIssue)
        let exports = names(in: ExportPlace.below(directory), &findings)
        guard !issues.isEmpty || !exports.isEmpty,
            let row = try await connection.query(SQL.Reports.Manifest.unrecordedNames, [.textArray(issues)]).first
        else { return UnrecordedIssues(issues: [], directory: directory, findings: findings) }
        let lastSeal = try row.int64("last_seal")
        let unnamed = try row.textArray("names").compactMap(\.self)
        // An export has no record: its name says its seal.
        let later = exports.filter { ExportPlace.seal(of: $0).map { $0 > lastSeal } ?? false }
        let found = (unnamed + later.map { "\(ExportPlace.folder)/\($0)" }).compactMap { stamped($0, &findings) }
        return UnrecordedIssues(issues: try await unknown(found), directory: directory, findings: findings)
    }

    private func unknown(
        _ stamped: [UnrecordedIssues.Issue]
    ) async throws(PostgresError) -> [UnrecordedIssues.Issue] {
        guard !stamped.isEmpty else { return [] }
        let rows = try await connection.query(
            SQL.Reports.Manifest.unknownStamps,
            [
                .intArray(stamped.map(\.runID)), .intArray(stamped.map(\.seal)), .textArray(stamped.map(\.asOf)),
            ])
        return try rows.map { row throws(PostgresError) in stamped[try row.int("place") - 1] }
    }

    /// Nil, with a finding where it is there and says nothing.
    private func stamped(_ name: String, _ findings: inout [String]) -> UnrecordedIssues.Issue? {
        let manifest = "\(directory)/\(name)/\(Manifest.fileName)"
        guard FileManager.default.fileExists(atPath: manifest) else { return nil }
        guard let stamp = Manifest.read(in: "\(directory)/\(name)")?.stamp, Instant(iso8601: stamp.asOf) != nil,
            (1...Self.highestSeal).contains(stamp.seal)
        else {
            findings.append(
                "\(manifest) cannot be read, and no issue of that name is recorded: which seal it has is not known")
            return nil
        }
        return UnrecordedIssues.Issue(name: name, seal: stamp.seal, runID: stamp.runID, asOf: stamp.asOf)
    }

    /// Sorted; none where there is no such folder.
    private func names(in folder: String, _ findings: inout [String]) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            if FileManager.default.fileExists(atPath: folder) {
                findings.append(
                    "\(folder) cannot be read: \(SystemReason.of(error)). Whether issues are there of which the database has "
                        + "no record, and which seals they have, is not known")
            }
            return []
        }
    }

    /// A sentence where issues are recorded and none of them is there; nil where it is as it should be.
    ///
    /// Throws `PostgresError`.
    package func absence() async throws(PostgresError) -> String? {
        let recorded = try await RecordedIssue.all(on: connection).issues.filter { $0.prunedAt == nil }
        guard let newest = recorded.last else { return nil }
        var folders = IssueFolders(of: recorded, below: directory)
        guard !folders.isAnyBelow() else { return nil }
        return
            "\(directory) has none of the issues that are recorded (\(recorded.count), the newest was written to \(newest.path)): it is "
            + "another host's folder, or one that is not mounted. Leaders share reports.directory; what is issued now begins a "
            + "folder of its own"
    }
}
