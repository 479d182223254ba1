// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where exports are written to.
package enum ExportPlace {
    /// Its name in the reports' folder, where no other is named.
    static let folder = "exports"

    /// There.
    package static func below(_ reports: String) -> String { "\(reports)/\(folder)" }

    /// That of the export's name; nil where it is no export's.
    static func seal(of name: String) -> Int64? {
        name.wholeMatch(of: /\d{4}-\d{2}-\d{2}-(\d{1,18})/).flatMap { Int64($0.1) }
    }

    /// Why nothing can be exported to that folder, after its name; nil where it can.
    ///
    /// `reports`: the folder of the issues.
    package static func refusal(of directory: String, beside reports: String) -> String? {
        let home = resolved(reports)
        var place = URL(fileURLWithPath: resolved(directory))
        while place.path != "/" {
            let parent = place.deletingLastPathComponent()
            if Manifest.read(in: place.path) != nil
                || (parent.path == home && IssueNames.isReserved(place.lastPathComponent))
            {
                return
                    "is the folder of a report, or lies in one, and reports are never written to again: name another one"
            }
            place = parent
        }
        return nil
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
