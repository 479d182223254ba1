// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
package import Marts
package import Model
package import Postgres
import Rendering
import SQLCatalog

/// Takes away the folders of issues and exports that have outlived their time; the records of the issues stay.
///
/// Recorded first, then taken away: a folder that is missing was meant to be, whenever this process is killed, and one that is left is
/// whole and goes with the next pruning. A folder gets a hidden name at once before its files go, so that no reader finds half of it;
/// the next report clears hidden ones away. Both steps are made while no other run can take the turn to write reports: none gives a
/// name to an issue that is about to be freed.
package struct IssuePruner {
    private let connection: PostgresConnection
    private let directory: String
    private let fence: IssueFence

    /// `directory`: of the reports.
    ///
    /// `fence`: throws where another run has the turn to write reports.
    package init(connection: PostgresConnection, directory: String, fence: @escaping IssueFence) {
        self.connection = connection
        self.directory = directory
        self.fence = fence
    }

    /// Returns how many folders went.
    ///
    /// Throws `PostgresError`, `ReportError` where a folder cannot be emptied, and what the fence throws.
    package func prune(_ retention: IssueRetention, on day: BusinessDate) async throws -> Int {
        guard let today = CivilDate(iso: day.description) else { return 0 }
        let recorded = try await RecordedIssue.all(on: connection).issues
        let outlived = retention.outlived(recorded.compactMap(\.item), on: today)
        var found: [(issue: RecordedIssue, folder: String)] = []
        for issue in recorded where outlived.contains(issue.seal) {
            // One that its owner has moved elsewhere stays there, and so do those of another folder of reports.
            let folder = "\(directory)/\(issue.name)"
            if IssueFolders.checksum(in: folder) == issue.sha256 { found.append((issue, folder)) }
        }
        let exports = outlivedExports(retention, on: today)
        guard !found.isEmpty || !exports.isEmpty else { return 0 }
        try await record(found.map(\.issue))
        let hidden = try await hide(found.map(\.folder) + exports)
        try Self.remove(hidden)
        return hidden.count
    }

    /// Throws `ReportError` with what cannot be removed, once all else is.
    private static func remove(_ folders: [String]) throws(ReportError) {
        let left = folders.compactMap { folder -> String? in
            do {
                try FileManager.default.removeItem(atPath: folder)
                return nil
            } catch {
                // A report that is written now may have cleared it away.
                guard FileManager.default.fileExists(atPath: folder) else { return nil }
                return "cannot remove \(folder): \(SystemReason.of(error)); check whose it is, and remove it"
            }
        }
        guard left.isEmpty else { throw ReportError(.files, left.joined(separator: "\n")) }
    }

    private func record(_ issues: [RecordedIssue]) async throws {
        try await connection.withTransaction { connection in
            try await fence(connection)
            for issue in issues { try await connection.execute(SQL.Reports.Manifest.pruneIssue, [.int(issue.seal)]) }
        }
    }

    /// Their names while they go, beside where they were issued: as those of replaced exports, which reports clear away.
    private func hide(_ folders: [String]) async throws -> [String] {
        try await connection.withTransaction { connection in
            try await fence(connection)
            return folders.compactMap { folder in
                let home = (folder as NSString).deletingLastPathComponent
                let name = (folder as NSString).lastPathComponent.prefix(10)
                let hidden = "\(home)/.\(name).tmp-\(String(UInt64.random(in: 0...(.max)), radix: 16))-replaced"
                return StagedFiles.rename(folder, to: hidden) ? hidden : nil
            }
        }
    }

    /// Whole ones, of which nothing else bears their name.
    private func outlivedExports(_ retention: IssueRetention, on today: CivilDate) -> [String] {
        let exports = ExportPlace.below(directory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: exports)) ?? []
        return names.sorted().map { "\(exports)/\($0)" }.filter { folder in
            guard let name = (folder as NSString).lastPathComponent.wholeMatch(of: /(\d{4}-\d{2}-\d{2})-\d+/),
                let date = CivilDate(iso: String(name.1)), let day = Self.dayWritten(folder)
            else { return false }
            return PresentExport(folder: folder).obstacle == nil
                && retention.hasOutlivedExport(of: date, writtenOn: day, on: today)
        }
    }

    private static func dayWritten(_ folder: String) -> CivilDate? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(Manifest.fileName)")
        guard let written = attributes?[.modificationDate] as? Date else { return nil }
        return CivilDate(daysSinceUnixEpoch: Int((written.timeIntervalSince1970 / 86_400).rounded(.down)))
    }
}

extension RecordedIssue {
    fileprivate var item: IssueRetention.Item? {
        CivilDate(iso: businessDate).map { IssueRetention.Item(seal: seal, businessDate: $0) }
    }
}
