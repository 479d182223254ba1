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

/// Makes folders below /tmp: PostgreSQL runs under another account there, which could not enter a private $TMPDIR,
/// and a socket's path must be short.
@safe enum TemporaryDirectory {
    static func make(named name: String) throws -> String {
        var template = Array("/tmp/\(name)-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { path in
            guard let path = path.baseAddress, unsafe mkdtemp(path) != nil, unsafe chmod(path, 0o755) == 0 else {
                return String?.none
            }
            return unsafe String(cString: path)
        }
        guard let made else { throw TestSupportError("no folder can be made in /tmp") }
        return made
    }
}
