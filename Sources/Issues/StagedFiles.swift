// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Model
import Rendering
import Signing

/// Files that are written aside, in a hidden folder beside where they are to appear.
struct StagedFiles {
    let directory: String
    /// The hidden folder.
    let folder: String
    /// That folder and those below it.
    private var folders: Set<String>
    private var open: [String: WrittenFile] = [:]
    /// Nil before the folder is made, and where the file system knows no locks.
    private var lock: FolderLock?
    private let mode: FileMode

    init(directory: String, name: String, mode: FileMode) {
        self.directory = directory
        self.mode = mode
        self.folder = "\(directory)/.\(name).tmp-\(String(UInt64.random(in: 0...(.max)), radix: 16))"
        folders = [folder]
    }

    /// Makes the hidden folder, and clears away what killed processes left of theirs.
    ///
    /// It has that name only when it is locked.
    mutating func create() throws(ReportError) {
        lock = try Self.attempt("make the folder \(folder)") {
            // One that is there has the mode that its owner gave it.
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: mode.folder])
            try clearLeftovers()
            let unlocked = folder + "-new"
            try FileManager.default.createDirectory(atPath: unlocked, withIntermediateDirectories: false)
            let lock = FolderLock(on: unlocked, isShared: true)
            try FileManager.default.moveItem(atPath: unlocked, toPath: folder)
            return lock
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

    /// Describes a file that was written there by other means; its bytes are on the disk then.
    func save(_ file: String) throws(ReportError) -> FileSummary {
        let path = "\(folder)/\(file)"
        do {
            return try WrittenFile.save(path)
        } catch {
            throw ReportError(.files, "cannot save \(path): \(SystemReason.of(error)); check the space there")
        }
    }

    /// Its files have their modes, and their names are on the disk then.
    func synchronize() throws(ReportError) {
        try Self.attempt("give its mode to \(folder)") { try mode.apply(to: folder) }
        for folder in folders { try Self.synchronize(folder) }
    }

    /// Throws the hidden folder away.
    mutating func discard() {
        for file in open.values { file.abandon() }
        open = [:]
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Hidden folders in which no process works.
    ///
    /// One that this account may not empty stays, and keeps no report back.
    private func clearLeftovers() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let path = "\(directory)/\(name)"
            guard Self.isHidden(name), let lock = FolderLock(on: path, isShared: false) else { continue }
            try? FileManager.default.removeItem(atPath: path)
            withExtendedLifetime(lock) {}
        }
    }

    /// True for the name of a folder whose files are not there yet, or go.
    static func isHidden(_ name: String) -> Bool {
        name.wholeMatch(of: /\.\d{4}-\d{2}-\d{2}(?:-\d+)?\.tmp-[0-9a-f]+(?:-replaced)?/) != nil
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
