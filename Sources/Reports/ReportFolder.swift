// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model

/// One issue on its way to disk: written aside in a hidden folder, renamed in when all of it is there and safe.
///
/// Whoever reads the reports' folder never sees half an issue, whenever this program is killed.
actor ReportFolder {
    private nonisolated let executor = FileExecutor()
    let directory: String
    let businessDate: String
    /// The hidden folder.
    let staging: String
    /// Where the same tables go in another profile; nil: nowhere.
    let copies: CSVCopyFolder?
    private var files: StagedFiles

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// `process` keeps the hidden folders of two processes distinct.
    init(
        directory: String, businessDate: BusinessDate, copies: CSVCopies? = nil, process: pid_t = getpid()
    ) {
        self.directory = directory
        self.businessDate = businessDate.description
        self.copies = copies.map(CSVCopyFolder.init)
        self.files = StagedFiles(directory: directory, name: businessDate.description, process: process)
        self.staging = files.folder
    }

    /// Makes the hidden folders.
    func create() async throws(ReportError) {
        try files.create()
        try await copies?.create()
    }

    /// Begins a file.
    func start(_ file: String) throws(ReportError) { try files.start(file) }

    func append(_ bytes: [UInt8], to file: String) throws(ReportError) { try files.append(bytes, to: file) }

    /// Ends the file that was started; its bytes are on the disk then.
    @discardableResult
    func finish(_ file: String) throws(ReportError) -> FileSummary { try files.finish(file) }

    /// Makes it the next issue of its date, unless the newest one says the same; points `latest` at the newest.
    func publish(_ manifest: Manifest) throws(ReportError) -> PublishedIssue {
        try StagedFiles.synchronize(staging)
        var issues = Issues(in: directory, of: businessDate)
        if let newest = issues.newest, isSame(newest, as: manifest) {
            discard()
            try pointLatest(at: newest)
            return try issue("\(directory)/\(newest)", isNew: false)
        }
        while !StagedFiles.rename(staging, to: "\(directory)/\(issues.next)") {
            guard errno == ENOTEMPTY || errno == EEXIST else {
                throw ReportError(.files, StagedFiles.sentence("name the folder \(directory)/\(issues.next)", errno))
            }
            issues.skip()
        }
        try pointLatest(at: issues.next)
        try StagedFiles.synchronize(directory)
        return try issue("\(directory)/\(issues.next)", isNew: true)
    }

    private func issue(_ path: String, isNew: Bool) throws(ReportError) -> PublishedIssue {
        let manifest = "\(path)/\(Manifest.fileName)"
        let sha256 = try StagedFiles.attempt("read \(manifest)") { try WrittenFile.describe(manifest).sha256 }
        return PublishedIssue(path: path, isNew: isNew, manifestSHA256: sha256)
    }

    /// Throws the hidden folder away.
    func discard() { files.discard() }

    /// The same seal, days and definitions, the same differences found, and the same bytes in every table.
    private func isSame(_ issue: String, as manifest: Manifest) -> Bool {
        guard let data = FileManager.default.contents(atPath: "\(directory)/\(issue)/\(Manifest.fileName)"),
            let earlier = try? Manifest(json: data), earlier.stamp == manifest.stamp,
            Set(earlier.checks.filter { !$0.passed }) == Set(manifest.checks.filter { !$0.passed })
        else { return false }
        let tables = manifest.files.keys.filter { $0.hasSuffix(".csv") }
        return Set(tables) == Set(earlier.files.keys.filter { $0.hasSuffix(".csv") })
            && tables.allSatisfy {
                FileManager.default.contentsEqual(atPath: "\(staging)/\($0)", andPath: "\(directory)/\(issue)/\($0)")
            }
    }

    /// An older date that is issued again does not take `latest` from a newer one.
    private func pointLatest(at issue: String) throws(ReportError) {
        let latest = "\(directory)/\(Issues.latest)"
        if let current = try? FileManager.default.destinationOfSymbolicLink(atPath: latest),
            Issues.isNewer(current, than: issue), FileManager.default.fileExists(atPath: "\(directory)/\(current)")
        {
            return
        }
        let aside = "\(directory)/.latest.tmp-\(getpid())"
        try? FileManager.default.removeItem(atPath: aside)
        try StagedFiles.attempt("point \(latest) at the new report") {
            try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: issue)
        }
        guard StagedFiles.rename(aside, to: latest) else {
            throw ReportError(.files, StagedFiles.sentence("point \(latest) at the new report", errno))
        }
    }
}

/// Where an issue stands.
struct PublishedIssue: Sendable {
    let path: String
    /// False if the newest issue of its date said the same.
    let isNew: Bool
    /// In hex.
    let manifestSHA256: String
}
