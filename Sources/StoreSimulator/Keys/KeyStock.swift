// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Key files of simulated stores that one process starts many of: each kind is made once, and written to the others' folders.
///
/// A store that people start has none: its keys are its own.
package final class KeyStock: Sendable {
    /// Of the stores of this process.
    package static let shared = KeyStock()

    private struct File {
        let name: String
        let bytes: Data
        let permissions: Int
    }

    private let kinds = Mutex<[String: [File]]>([:])

    /// Writes the files of that kind to the folder; the first time `make` makes them there.
    func provide(_ kind: String, in directory: String, _ make: () throws -> Void) throws {
        try kinds.withLock { kinds in
            if let files = kinds[kind] { return try Self.write(files, to: directory) }
            let others = try Set(FileManager.default.contentsOfDirectory(atPath: directory))
            try make()
            kinds[kind] = try FileManager.default.contentsOfDirectory(atPath: directory)
                .filter { !others.contains($0) }.map { try Self.file($0, in: directory) }
        }
    }

    private static func file(_ name: String, in directory: String) throws -> File {
        let path = "\(directory)/\(name)"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return File(
            name: name, bytes: try Data(contentsOf: URL(filePath: path)),
            permissions: attributes[.posixPermissions] as? Int ?? 0o600)
    }

    private static func write(_ files: [File], to directory: String) throws {
        for file in files {
            let path = "\(directory)/\(file.name)"
            try file.bytes.write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: file.permissions], ofItemAtPath: path)
        }
    }
}
