// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLTemplates
import TestSupport
import Testing

/// Lists, tables and includes are found in folders.
@Suite struct SQLFolderTests {
    @Test func `a list is for its folder, the tables of a folder for those beside it and below them`() async throws {
        let folder = try await Self.folder([
            "load/row.columns": "id\nprice\n", "load/copy.sql": "copy {row}",
            "line/02_periods/table.sql": "-- key: id\ncreate table periods ();", "line/10_changes/table.sql": "",
            "line/10_changes/rows.sql": "select 1", "refresh/deeper/drop.sql": "{each line}{table} {end}",
            "refresh/page.json": "{each}",
        ])
        #expect(
            folder.allFiles.map { "\($0.path): \($0.text)" } == [
                "line/02_periods/table.sql: -- key: id\ncreate table periods ();", "line/10_changes/rows.sql: select 1",
                "line/10_changes/table.sql: ", "load/copy.sql: copy id, price",
                "refresh/deeper/drop.sql: periods changes ",
            ])
        #expect(folder.folders.last?.folder.documents.map(\.text) == ["{each}"])
    }

    @Test func `a list is for the folders below its own, and the rules are for all of them`() async throws {
        let folder = try await Self.folder([
            "rules.txt": "# Up to here a gap is none.\ngap = 24 hours\n", "row.columns": "id\nprice\n",
            "checks/days/close.sql": "select {row} where {rule gap} > '1 day'",
        ])
        #expect(folder.allFiles.map(\.text) == ["select id, price where interval '24 hours' > '1 day'"])
    }

    @Test func `a list of another folder is none, and the error names file and line`() async throws {
        let error = await #expect(throws: TemplateError.self) {
            _ = try await Self.folder(["load/row.columns": "id\n", "send/copy.sql": "-- Why.\ncopy {row}"])
        }
        #expect(error?.description == "send/copy.sql, line 2: {row} names no list; there are none here")
    }

    private static func folder(_ files: [String: String]) async throws -> SQLFolder {
        try await withTemporaryDirectory { path in
            let root = URL(fileURLWithPath: path, isDirectory: true)
            for (path, text) in files {
                let file = root.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            return try SQLFolder(at: root)
        }
    }
}
