// SPDX-License-Identifier: Apache-2.0

import Foundation
import Foundations
import Signing

/// A file of an issue while it is written: its bytes go to the disk as they come, and are counted and hashed on the way.
final class WrittenFile {
    private let handle: FileHandle
    private let digest: RunningSHA256
    private var byteCount = 0

    /// A file that does not exist yet.
    init(at path: String) throws {
        digest = try RunningSHA256()
        let url = URL(fileURLWithPath: path)
        try Data().write(to: url, options: .withoutOverwriting)
        handle = try FileHandle(forWritingTo: url)
    }

    func append(_ bytes: [UInt8]) throws {
        try handle.write(contentsOf: Data(bytes))
        try digest.update(bytes)
        byteCount += bytes.count
    }

    /// Ends it: its bytes are on the disk then.
    func finish() throws -> FileSummary {
        try handle.synchronize()
        try handle.close()
        return FileSummary(byteCount: byteCount, sha256: Hex.encode(try digest.finish()))
    }

    /// Size and checksum of a file that stands there, read piece by piece.
    static func describe(_ path: String) throws -> FileSummary {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        let digest = try RunningSHA256()
        var byteCount = 0
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
            try digest.update([UInt8](piece))
            byteCount += piece.count
        }
        return FileSummary(byteCount: byteCount, sha256: Hex.encode(try digest.finish()))
    }

    /// The same of a file that somebody else wrote; its bytes are on the disk then.
    static func save(_ path: String) throws -> FileSummary {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.synchronize()
        return try describe(path)
    }

    /// Gives it up.
    func abandon() { try? handle.close() }
}

/// Size and checksum of a file, for the manifest.
struct FileSummary: Sendable {
    let byteCount: Int
    /// In hex.
    let sha256: String
}
