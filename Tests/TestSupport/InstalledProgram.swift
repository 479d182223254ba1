// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `subledger` as scripts/build leaves it: the file that users install, not what the test build links beside the tests.
package enum InstalledProgram {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Its path.
    ///
    /// Throws where it was not built, or where it is older than what it is made of.
    package static func path() throws -> String { try found.get() }

    private static let found = Result { try find() }

    private static func find() throws -> String {
        let program = repository.appending(path: ".build/release/subledger").resolvingSymlinksInPath()
        guard modified(program) != nil, let built = modified(program.appendingPathExtension("checked")) else {
            throw TestSupportError("\(program.path) was not built: run scripts/build")
        }
        for folder in ["Package.swift", "Sources", "jobs", "sql"] {
            if let newer = newest(in: repository.appending(path: folder)), newer.changed > built {
                throw TestSupportError("\(program.path) is older than \(newer.path): run scripts/build")
            }
        }
        return program.path
    }

    /// The simulated stores are no part of the program.
    private static func newest(in folder: URL) -> (path: String, changed: Date)? {
        let inside = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.contentModificationDateKey])
        let files = [folder] + (inside?.compactMap { $0 as? URL } ?? [])
        return files.lazy
            .filter { !$0.hasDirectoryPath && !$0.path.contains("/StoreSim") }
            .compactMap { file in modified(file).map { (file.path, $0) } }
            .max { $0.1 < $1.1 }
    }

    private static func modified(_ file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }
}
