// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tables of a folder, in the order of its paths: a folder with `table.sql` for each, as `02_paid_periods`.
package struct TableList: Equatable, Sendable {
    package struct Table: Equatable, Sendable {
        /// Without the number that its folder begins with.
        package let name: String
        package let head: FileHead

        package init(name: String, head: FileHead) {
            self.name = name
            self.head = head
        }
    }

    package let tables: [Table]

    package init(tables: [Table]) { self.tables = tables }

    /// Nil where there is no such folder, or no table in it.
    init?(at folder: URL) throws {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() else { return nil }
        let tables = try names.compactMap { name -> Table? in
            let file = folder.appendingPathComponent("\(name)/table.sql")
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            return Table(name: Self.tableName(name), head: FileHead(of: try String(contentsOf: file, encoding: .utf8)))
        }
        guard !tables.isEmpty else { return nil }
        self.tables = tables
    }

    private static func tableName(_ folder: String) -> String { String(folder.trimmingPrefix(/[0-9]+_/)) }
}
