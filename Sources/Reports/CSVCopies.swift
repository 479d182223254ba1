// SPDX-License-Identifier: Apache-2.0

package import Foundations

/// The CSV files of an export once more, in another profile: in a folder of its own within the export's.
package struct CSVCopies: Sendable, Hashable {
    /// The folder's name: the profile as it was asked for, `excel` or `excel:de`.
    package let name: String
    package let profile: CSVProfile

    package init(name: String, profile: CSVProfile) {
        self.name = name
        self.profile = profile
    }

    /// Where the copy of a report's file is, in the export's folder.
    func path(of file: String) -> String { "\(name)/\(file)" }

    func header(_ columns: [ReportColumn]) -> [UInt8] {
        var header = profile.opening
        CSVText.append(header: columns, as: profile, to: &header)
        return header
    }

    func lines(_ rows: [[String?]], _ columns: [ReportColumn]) -> [UInt8] {
        var lines: [UInt8] = []
        for row in rows { CSVText.append(row, columns: columns, as: profile, to: &lines) }
        return lines
    }
}
