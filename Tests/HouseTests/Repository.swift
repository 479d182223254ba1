// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLTemplates

/// The repository as the tests that guard the house read it.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The SQL files as the program has them, templates written out: path from the root, and text.
    static func sql() throws -> [(path: String, text: String)] {
        try SQLFolder(at: root.appending(path: "sql")).allFiles.map { ("sql/\($0.path)", $0.text) }
    }

    /// Files below a folder with that ending: path from the root, and text.
    static func files(below folder: String, ending: String) throws -> [(path: String, text: String)] {
        let base = root.appending(path: folder)
        guard let found = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        let urls = found.compactMap { $0 as? URL }.filter { $0.path.hasSuffix(ending) }
        return try urls.sorted { $0.path < $1.path }.map { url in
            (String(url.path.dropFirst(root.path.count + 1)), try String(contentsOf: url, encoding: .utf8))
        }
    }

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
