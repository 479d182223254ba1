// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Glibc
import Model
import Rendering

/// One issue, or one export, on its way to disk: written aside in a hidden folder, renamed in when all of it is there and safe.
///
/// Whoever reads the folder above it never sees half a report, whenever this program is killed.
actor ReportFolder {
    private nonisolated let executor = BlockingExecutor(label: "subledger.reports")
    let directory: String
    let businessDate: String
    /// The hidden folder.
    let staging: String
    /// The name of an export; nil of an issue, whose name is found when it is put in its place.
    private let export: String?
    private let isRepeated: Bool
    private var files: StagedFiles

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(_ request: ReportRequest) {
        directory = request.directory
        businessDate = request.businessDate.description
        let export = request.isExport ? "\(request.businessDate)-\(request.seal)" : nil
        let files = StagedFiles(
            directory: request.directory, name: export ?? request.businessDate.description, mode: request.mode)
        self.export = export
        self.isRepeated = request.isRepeated
        self.files = files
        staging = files.folder
    }

    /// Makes the hidden folder.
    func create() throws(ReportError) { try files.create() }

    /// Begins a file.
    func start(_ file: String) throws(ReportError) { try files.start(file) }

    func append(_ bytes: [UInt8], to file: String) throws(ReportError) { try files.append(bytes, to: file) }

    /// Ends the file that was started; its bytes are on the disk then.
    @discardableResult
    func finish(_ file: String) throws(ReportError) -> FileSummary { try files.finish(file) }

    /// Describes a file that was written there by other means; its bytes are on the disk then.
    func save(_ file: String) throws(ReportError) -> FileSummary { try files.save(file) }

    /// The names of its files are on the disk then.
    func synchronize() throws(ReportError) { try files.synchronize() }

    /// Puts it in its place, once it is synchronized.
    ///
    /// `unknown`: names of issues of which the database has no record.
    func publish(_ manifest: Manifest, besides unknown: Set<String> = []) throws(ReportError) -> PublishedIssue {
        guard let export else { return try issueNext(manifest, besides: unknown) }
        let place = "\(directory)/\(export)"
        try replace(place)
        try StagedFiles.synchronize(directory)
        return try issue(place, manifest.stamp, isNew: true)
    }

    /// An export as it was written goes; anything else that bears its name stays.
    private func replace(_ place: String) throws(ReportError) {
        let aside = staging + "-replaced"
        while !StagedFiles.rename(staging, to: place) {
            guard errno == ENOTEMPTY || errno == EEXIST else {
                throw ReportError(.files, StagedFiles.sentence("name the folder \(place)", errno))
            }
            if let reason = PresentExport(folder: place).obstacle {
                throw ReportError(
                    .files,
                    "\(place) is there already, and \(reason): move it away, or name another folder with --out")
            }
            guard StagedFiles.rename(place, to: aside) || errno == ENOENT else {
                throw ReportError(.files, StagedFiles.sentence("replace the folder \(place)", errno))
            }
            // At once: where another process is faster, its export is put aside there next.
            try? FileManager.default.removeItem(atPath: aside)
        }
    }

    /// Makes it the next issue of its date, unless the newest one says the same; points `latest` at the newest.
    private func issueNext(_ manifest: Manifest, besides unknown: Set<String>) throws(ReportError) -> PublishedIssue {
        var issues = IssueNames(in: directory, of: businessDate, besides: unknown)
        if let newest = issues.newest, let earlier = same(newest, as: manifest) {
            discard()
            try pointLatest(at: newest, besides: unknown)
            return try issue("\(directory)/\(newest)", earlier.stamp, isNew: false)
        }
        while !StagedFiles.rename(staging, to: "\(directory)/\(issues.next)") {
            guard errno == ENOTEMPTY || errno == EEXIST else {
                throw ReportError(.files, StagedFiles.sentence("name the folder \(directory)/\(issues.next)", errno))
            }
            issues.skip()
        }
        try pointLatest(at: issues.next, besides: unknown)
        try StagedFiles.synchronize(directory)
        return try issue("\(directory)/\(issues.next)", manifest.stamp, isNew: true)
    }

    private func issue(
        _ path: String, _ stamp: ReportStamp, isNew: Bool
    ) throws(ReportError) -> PublishedIssue {
        let manifest = "\(path)/\(Manifest.fileName)"
        let sha256 = try StagedFiles.attempt("read \(manifest)") { try WrittenFile.describe(manifest).sha256 }
        return PublishedIssue(path: path, stamp: stamp, isNew: isNew, manifestSHA256: sha256)
    }

    /// Throws the hidden folder away.
    func discard() { files.discard() }

    /// The same issue, with the same bytes in every table.
    ///
    /// One that a schedule asks for again is the same also where a later seal says nothing else; what changed is no
    /// table of it then, for it compares with another issue.
    private func same(_ issue: String, as manifest: Manifest) -> Manifest? {
        guard let earlier = Manifest.read(in: "\(directory)/\(issue)"), earlier.tables == manifest.tables else {
            return nil
        }
        let isOfSameSeal = earlier.isOfSameSeal(as: manifest)
        guard isOfSameSeal || isRepeated && earlier.isAlike(manifest) else { return nil }
        let isSame = manifest.tables.subtracting(isOfSameSeal ? [] : ["changes.csv"]).allSatisfy {
            FileManager.default.contentsEqual(atPath: "\(staging)/\($0)", andPath: "\(directory)/\(issue)/\($0)")
        }
        return isSame ? earlier : nil
    }

    /// An older date that is issued again does not take `latest` from a newer one, unless the database has no record of that.
    private func pointLatest(at issue: String, besides unknown: Set<String>) throws(ReportError) {
        let latest = "\(directory)/\(IssueNames.latest)"
        if let current = try? FileManager.default.destinationOfSymbolicLink(atPath: latest),
            !unknown.contains(current), IssueNames.isNewer(current, than: issue),
            FileManager.default.fileExists(atPath: "\(directory)/\(current)")
        {
            return
        }
        let aside = staging + "-latest"
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
    /// What it was issued from, which is an earlier run where it is not new.
    let stamp: ReportStamp
    /// False if the newest issue of its date said the same.
    let isNew: Bool
    /// In hex.
    let manifestSHA256: String
}
