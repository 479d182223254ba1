// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Postgres

/// The few file operations of the private server, with its errors.
@safe enum ServerFiles {
    /// Makes a directory, parents included; those made get `mode` whatever the umask, those there stay as they are.
    static func makeDirectory(_ path: String, mode: mode_t, owner: ServerAccount? = nil) throws(PostgresError) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty, parent != path { try makeDirectory(parent, mode: 0o755) }
        guard unsafe mkdir(path, mode) == 0 || errno == EEXIST, unsafe chmod(path, mode) == 0 else {
            throw failure("cannot make the directory \(path)")
        }
        if let owner, owner.userID != geteuid(), unsafe chown(path, owner.userID, owner.groupID) != 0 {
            throw failure("cannot give \(path) to \(owner.name)")
        }
    }

    /// Removes a file or a directory with all it holds; nothing there is fine.
    static func remove(_ path: String) throws(PostgresError) {
        guard FileStatus(path) != nil else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw failure("cannot remove \(path)", because: error)
        }
    }

    /// A small text file; nil if it is not there.
    static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Writes a small text file whole or not at all.
    static func write(_ text: String, to path: String) throws(PostgresError) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw failure("cannot write \(path)", because: error)
        }
    }

    /// Adds to a text file.
    static func append(_ text: String, to path: String) throws(PostgresError) {
        try write((Self.text(path) ?? "") + text, to: path)
    }

    /// The absolute path without symbolic links.
    static func realPath(_ path: String) throws(PostgresError) -> String {
        guard let real = unsafe realpath(path, nil) else { throw failure("\(path) cannot be found") }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// An error with the system's reason, which Foundation wraps into one of its own.
    private static func failure(_ problem: String, because error: any Error) -> PostgresError {
        let error = error as NSError
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error { return failure(problem, because: cause) }
        let isSystem = error.domain == NSPOSIXErrorDomain
        let reason = isSystem ? unsafe String(cString: strerror(Int32(error.code))) : "system error \(error.code)"
        return PostgresError(.privateServer, "\(problem): \(reason)")
    }

    /// An error with the system's reason.
    static func failure(_ problem: String) -> PostgresError {
        PostgresError(.privateServer, "\(problem): \(unsafe String(cString: strerror(errno)))")
    }
}
