// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Copies on their way to disk: written aside, and put in their places once the issue stands in its own. A copy that was there
/// under the same name is replaced.
actor CSVCopyFolder {
    private nonisolated let executor = FileExecutor()
    private let copies: CSVCopies
    private var files: StagedFiles
    private var finished: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ copies: CSVCopies) {
        self.copies = copies
        self.files = StagedFiles(directory: copies.directory, name: "csv")
    }

    func create() throws(ReportError) { try files.create() }

    func start(_ file: String, _ columns: [ReportColumn]) throws(ReportError) {
        try files.start(file)
        var header = copies.profile.opening
        CSVText.append(header: columns, as: copies.profile, to: &header)
        try files.append(header, to: file)
    }

    func append(_ rows: [[String?]], _ columns: [ReportColumn], to file: String) throws(ReportError) {
        var lines: [UInt8] = []
        for row in rows { CSVText.append(row, columns: columns, as: copies.profile, to: &lines) }
        try files.append(lines, to: file)
    }

    func finish(_ file: String) throws(ReportError) {
        try files.finish(file)
        finished.append(file)
    }

    func publish() throws(ReportError) {
        for file in finished {
            let place = "\(copies.directory)/\(file)"
            guard StagedFiles.rename("\(files.folder)/\(file)", to: place) else {
                throw ReportError(.files, StagedFiles.sentence("put \(place) in its place", errno))
            }
        }
        try StagedFiles.synchronize(copies.directory)
        discard()
    }

    func discard() { files.discard() }
}
