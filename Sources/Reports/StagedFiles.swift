// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Signing

/// Files that are written aside, in a hidden folder beside where they are to appear.
struct StagedFiles {
    let directory: String
    /// The hidden folder.
    let folder: String
    /// That folder and those below it.
    private var folders: Set<String>
    private var open: [String: WrittenFile] = [:]

    /// `process` keeps the hidden folders of two processes distinct.
    init(directory: String, name: String, process: pid_t = getpid()) {
        self.directory = directory
        self.folder = "\(directory)/.\(name).tmp-\(process)"
        folders = [folder]
    }

    /// Makes the hidden folder, and clears away what killed processes left of theirs.
    func create() throws(ReportError) {
        try Self.attempt("make the folder \(folder)") {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            for leftover in try leftovers() { try FileManager.default.removeItem(atPath: leftover) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
    }

    /// Begins a file; it may lie in a folder below.
    mutating func start(_ file: String) throws(ReportError) {
        let path = "\(folder)/\(file)"
        let home = (path as NSString).deletingLastPathComponent
        open[file] = try Self.attempt("write \(path)") {
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            return try WrittenFile(at: path)
        }
        folders.insert(home)
    }

    func append(_ bytes: [UInt8], to file: String) throws(ReportError) {
        try Self.attempt("write \(folder)/\(file)") { try open[file]?.append(bytes) }
    }

    /// Ends the file that was started; its bytes are on the disk then.
    @discardableResult
    mutating func finish(_ file: String) throws(ReportError) -> FileSummary {
        guard let written = open.removeValue(forKey: file) else {
            throw ReportError(.files, "cannot finish \(folder)/\(file), which was never started")
        }
        return try Self.attempt("write \(folder)/\(file)") { try written.finish() }
    }

    /// The names of its files are on the disk then.
    func synchronize() throws(ReportError) {
        for folder in folders { try Self.synchronize(folder) }
    }

    /// Throws the hidden folder away.
    mutating func discard() {
        for file in open.values { file.abandon() }
        open = [:]
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Hidden folders whose process is gone, and any of our own number.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { name in
            guard let match = name.wholeMatch(of: /\.\d{4}-\d{2}-\d{2}(?:-\d+)?\.tmp-(\d+)(?:-replaced)?/),
                let process = pid_t(match.1)
            else { return false }
            return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH)
        }.map { "\(directory)/\($0)" }
    }
}

extension StagedFiles {
    /// A folder's names are on the disk only when the folder itself is.
    static func synchronize(_ folder: String) throws(ReportError) {
        let descriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw ReportError(.files, sentence("save the folder \(folder)", errno))
        }
    }

    static func rename(_ old: String, to new: String) -> Bool { unsafe Glibc.rename(old, new) == 0 }

    static func sentence(_ work: String, _ code: Int32) -> String {
        "cannot \(work): \(unsafe String(cString: strerror(code))); check the space and permissions there"
    }

    static func attempt<R>(_ work: String, _ body: () throws -> R) throws(ReportError) -> R {
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
