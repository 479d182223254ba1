// SPDX-License-Identifier: Apache-2.0

import Foundations

/// A CSV file of a folder while it is written, and its copy in another profile where one is asked for.
struct TableFile {
    let name: String
    let columns: [ReportColumn]
    let folder: ReportFolder
    /// Nil: no copy.
    let copies: CSVCopies?

    /// Both begin with the names of the columns.
    func start() async throws(ReportError) {
        try await folder.start(name)
        var header: [UInt8] = []
        CSVText.append(header: columns, to: &header)
        try await folder.append(header, to: name)
        guard let copies else { return }
        try await folder.start(copies.path(of: name))
        try await folder.append(copies.header(columns), to: copies.path(of: name))
    }

    func append(_ rows: [[String?]]) async throws(ReportError) {
        var lines: [UInt8] = []
        for row in rows { CSVText.append(row, columns: columns, to: &lines) }
        try await folder.append(lines, to: name)
        guard let copies else { return }
        try await folder.append(copies.lines(rows, columns), to: copies.path(of: name))
    }

    /// What the manifest says of each, by name.
    func finish(rows count: Int) async throws(ReportError) -> [String: Manifest.File] {
        var files = [name: Manifest.File(try await folder.finish(name), rows: count)]
        if let path = copies?.path(of: name) {
            files[path] = Manifest.File(try await folder.finish(path), rows: count)
        }
        return files
    }
}
