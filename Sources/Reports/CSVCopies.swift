// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Copies of an issue's CSV files in another profile: where to, and how they are put down. The issued ones stay as they are.
package struct CSVCopies: Sendable, Hashable {
    /// A folder of its own, never an issue's.
    package let directory: String
    package let profile: CSVProfile

    package init(directory: String, profile: CSVProfile) {
        self.directory = directory
        self.profile = profile
    }

    /// Why that folder cannot hold copies, after its name; nil where it can. `reports`: the folder of the issues.
    package func refusal(beside reports: String) -> String? {
        let home = Self.resolved(reports)
        var place = URL(fileURLWithPath: Self.resolved(directory))
        while place.path != "/" {
            let parent = place.deletingLastPathComponent()
            if isIssue(place.path) || (parent.path == home && Issues.isReserved(place.lastPathComponent)) {
                return
                    "is the folder of an issue, or lies in one, and issues are never written to again: name another one"
            }
            place = parent
        }
        return nil
    }

    private func isIssue(_ folder: String) -> Bool {
        FileManager.default.contents(atPath: "\(folder)/\(Manifest.fileName)").map { (try? Manifest(json: $0)) != nil }
            ?? false
    }

    /// The whole path, links followed as far as there is something.
    private static func resolved(_ path: String) -> String {
        let whole = URL(fileURLWithPath: path).standardizedFileURL
        guard whole.path != "/", !FileManager.default.fileExists(atPath: whole.path) else {
            return whole.resolvingSymlinksInPath().path
        }
        return resolved(whole.deletingLastPathComponent().path) + "/" + whole.lastPathComponent
    }
}
