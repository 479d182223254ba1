// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Gives `body` a new empty folder, which every account may enter, and removes it with all it holds afterwards.
package func withTemporaryDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
    let folder = try TemporaryDirectory.make(named: "subledger-folder")
    do {
        let value = try await body(folder)
        try FileManager.default.removeItem(atPath: folder)
        return value
    } catch {
        try? FileManager.default.removeItem(atPath: folder)
        throw error
    }
}

/// Makes folders in memory where there is room, else below /tmp: PostgreSQL runs under another account there, which could not
/// enter a private $TMPDIR, and a socket's path must be short.
@safe enum TemporaryDirectory {
    /// Making and removing its thousand files is most of what a test's database costs: 25 ms of the processor in memory, 150 on
    /// a disk.
    private static let parent = hasRoom("/dev/shm") ? "/dev/shm" : "/tmp"
    /// All the tests' folders together take a small part of it.
    private static let roomInMemory: UInt = 4 << 30

    static func make(named name: String) throws -> String {
        var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { path in
            guard let path = path.baseAddress, unsafe mkdtemp(path) != nil, unsafe chmod(path, 0o755) == 0 else {
                return String?.none
            }
            return unsafe String(cString: path)
        }
        guard let made else { throw TestSupportError("no folder can be made in \(parent)") }
        return made
    }

    /// Programs can be run there, and there is room.
    private static func hasRoom(_ folder: String) -> Bool {
        let refusesPrograms: UInt = 8  // ST_NOEXEC
        var room = statvfs()
        guard unsafe statvfs(folder, &room) == 0, UInt(room.f_flag) & refusesPrograms == 0 else { return false }
        return UInt(room.f_bavail) * UInt(room.f_frsize) >= roomInMemory
    }
}
