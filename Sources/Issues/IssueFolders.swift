// SPDX-License-Identifier: Apache-2.0

import Foundation
import Rendering

/// Where the recorded issues are now: found by the checksum of their manifests, where they were written or anywhere
/// below the reports' folder.
///
/// A folder of the same name with another issue in it is not taken for one.
struct IssueFolders {
    enum Place: Hashable {
        case found(String)
        /// Its manifest is where it belongs, and is another one than was issued.
        case changed(String)
        case gone
        /// Its folder was taken away on purpose.
        case pruned
    }

    private let issues: [RecordedIssue]
    private let directory: String
    private let checksums: Set<String>
    /// Checksums of the manifests below the reports' folder, with their folders: read once, where one is not where it was written.
    private lazy var below: [String: String] = manifestsBelow()

    init(of issues: [RecordedIssue], below directory: String) {
        self.issues = issues
        self.directory = directory
        checksums = Set(issues.map(\.sha256))
    }

    mutating func place(of issue: RecordedIssue) -> Place {
        for folder in [issue.path, "\(directory)/\(issue.name)"] where Self.checksum(in: folder) == issue.sha256 {
            return .found(folder)
        }
        if let folder = below[issue.sha256] { return .found(folder) }
        if issue.prunedAt != nil { return .pruned }
        let changed = [issue.path, "\(directory)/\(issue.name)"].first { isChanged(issue, in: $0) }
        return changed.map(Place.changed) ?? .gone
    }

    /// One of them is in the reports' folder, or anywhere below it.
    mutating func isAnyBelow() -> Bool {
        issues.reversed().contains { Self.checksum(in: "\(directory)/\($0.name)") == $0.sha256 }
            || !checksums.isDisjoint(with: below.keys)
    }

    /// No other issue's manifest: where it was written any bytes that are none's, elsewhere those that still bear its seal.
    private func isChanged(_ issue: RecordedIssue, in folder: String) -> Bool {
        guard let found = Self.checksum(in: folder), !checksums.contains(found) else { return false }
        let manifest = Manifest.read(in: folder)
        guard let manifest else { return folder == issue.path }
        return !manifest.isExport && manifest.stamp.seal == issue.seal
    }

    /// Of the manifest in it; nil where there is none.
    static func checksum(in folder: String) -> String? {
        try? WrittenFile.describe("\(folder)/\(Manifest.fileName)").sha256
    }

    private func manifestsBelow() -> [String: String] {
        let files = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        // What is being taken away is gone already.
        let folders = files.filter { ($0 as NSString).lastPathComponent == Manifest.fileName }
            .map { ($0 as NSString).deletingLastPathComponent }
            .filter { !StagedFiles.isHidden(($0 as NSString).lastPathComponent) }
            .map { "\(directory)/\($0)" }
        return Dictionary(folders.compactMap { folder in Self.checksum(in: folder).map { ($0, folder) } }) { first, _ in
            first
        }
    }
}
