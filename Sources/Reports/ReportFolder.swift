// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Signing

/// One issue on its way to disk: written aside in a hidden folder, renamed in when all of it is there and safe.
///
/// Whoever reads the reports' folder never sees half an issue, whenever this program is killed.
actor ReportFolder {
    private nonisolated let executor = FileExecutor()
    let directory: String
    let businessDate: String
    /// The hidden folder.
    let staging: String
    private var open: [String: WrittenFile] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// `process` keeps the hidden folders of two processes distinct.
    init(directory: String, businessDate: BusinessDate, process: pid_t = getpid()) {
        self.directory = directory
        self.businessDate = businessDate.description
        self.staging = "\(directory)/.\(businessDate).tmp-\(process)"
    }

    /// Makes the hidden folder, and clears away what killed processes left of theirs.
    func create() throws(ReportError) {
        try attempt("make the folder \(staging)") {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for leftover in try leftovers() { try FileManager.default.removeItem(atPath: leftover) }
            try FileManager.default.createDirectory(atPath: staging, withIntermediateDirectories: false)
        }
    }

    /// Begins a file.
    func start(_ file: String) throws(ReportError) {
        let path = "\(staging)/\(file)"
        try attempt("write \(path)") { open[file] = try WrittenFile(at: path) }
    }

    func append(_ bytes: [UInt8], to file: String) throws(ReportError) {
        try attempt("write \(staging)/\(file)") { try open[file]?.append(bytes) }
    }

    /// Ends the file that was started; its bytes are on the disk then.
    @discardableResult
    func finish(_ file: String) throws(ReportError) -> FileSummary {
        guard let written = open.removeValue(forKey: file) else {
            throw ReportError(.files, "cannot finish \(staging)/\(file), which was never started")
        }
        return try attempt("write \(staging)/\(file)") { try written.finish() }
    }

    /// Makes it the next issue of its date, unless the newest one says the same; points `latest` at the newest.
    func publish(_ manifest: Manifest) throws(ReportError) -> PublishedIssue {
        try synchronize(staging)
        var issues = Issues(in: directory, of: businessDate)
        if let newest = issues.newest, isSame(newest, as: manifest) {
            discard()
            try pointLatest(at: newest)
            return try issue("\(directory)/\(newest)", isNew: false)
        }
        while !Self.rename(staging, to: "\(directory)/\(issues.next)") {
            guard errno == ENOTEMPTY || errno == EEXIST else {
                throw ReportError(.files, Self.sentence("name the folder \(directory)/\(issues.next)", errno))
            }
            issues.skip()
        }
        try pointLatest(at: issues.next)
        try synchronize(directory)
        return try issue("\(directory)/\(issues.next)", isNew: true)
    }

    private func issue(_ path: String, isNew: Bool) throws(ReportError) -> PublishedIssue {
        let manifest = "\(path)/\(Manifest.fileName)"
        let sha256 = try attempt("read \(manifest)") { try WrittenFile.describe(manifest).sha256 }
        return PublishedIssue(path: path, isNew: isNew, manifestSHA256: sha256)
    }

    /// Throws the hidden folder away.
    func discard() {
        for file in open.values { file.abandon() }
        open = [:]
        try? FileManager.default.removeItem(atPath: staging)
    }

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
        let latest = "\(directory)/latest"
        if let current = try? FileManager.default.destinationOfSymbolicLink(atPath: latest),
            Issues.isNewer(current, than: issue), FileManager.default.fileExists(atPath: "\(directory)/\(current)")
        {
            return
        }
        let aside = "\(directory)/.latest.tmp-\(getpid())"
        try? FileManager.default.removeItem(atPath: aside)
        try attempt("point \(latest) at the new report") {
            try FileManager.default.createSymbolicLink(atPath: aside, withDestinationPath: issue)
        }
        guard Self.rename(aside, to: latest) else {
            throw ReportError(.files, Self.sentence("point \(latest) at the new report", errno))
        }
    }

    /// Hidden folders whose process is gone, and any of our own number.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
            guard let match = name.wholeMatch(of: /\.\d{4}-\d{2}-\d{2}\.tmp-(\d+)/), let process = pid_t(match.1) else {
                return false
            }
            return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
        }.map { "\(directory)/\($0)" }
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

extension ReportFolder {
    /// A folder's names are on the disk only when the folder itself is.
    private func synchronize(_ folder: String) throws(ReportError) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw ReportError(.files, Self.sentence("save the folder \(folder)", errno))
        }
    }

    private static func rename(_ old: String, to new: String) -> Bool { unsafe Glibc.rename(old, new) == 0 }

    private static func sentence(_ work: String, _ code: Int32) -> String {
        "cannot \(work): \(unsafe String(cString: strerror(code))); check the space and permissions there"
    }

    private func attempt<R>(_ work: String, _ body: () throws -> R) throws(ReportError) -> R {
        do {
            return try body()
        } catch let error as SigningError {
            throw ReportError(.files, "cannot \(work): \(error)")
        } catch {
            throw ReportError(
                .files, "cannot \(work): \(SystemReason.of(error)); check the space and permissions there")
        }
    }
}
