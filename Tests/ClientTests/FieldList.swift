// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The list of fields in a store's room, held against that store's own library and against the room's text.
struct FieldList {
    struct Reported: Decodable {
        /// How many fields the library knows.
        let fields: Int
        /// A sentence each.
        let wrong: [String]
    }

    private struct Given: Encodable {
        let list, room: String
    }

    static let appStore = FieldList(room: "AppStore", script: "app_store_fields.py")
    static let googlePlay = FieldList(room: "GooglePlay", script: "google_fields.py")

    private let room: URL
    private let script: String

    private init(room: String, script: String) {
        self.room = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/\(room)")
        self.script = script
    }

    private var path: String { room.appending(path: "FIELDS.txt").path }

    func reported() async throws -> Reported { try await reported(of: path) }

    /// What is told of the list when its lines are others.
    func reported(changing change: ([String]) -> [String]) async throws -> Reported {
        let lines = try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
        let changed = change(lines).joined(separator: "\n")
        return try await withTemporaryDirectory { folder in
            let list = folder + "/fields.txt"
            try changed.write(toFile: list, atomically: true, encoding: .utf8)
            return try await reported(of: list)
        }
    }

    private func reported(of list: String) async throws -> Reported {
        try await PythonProgram.run("ClientTests/Clients/\(script)", given: Given(list: list, room: room.path))
    }
}
