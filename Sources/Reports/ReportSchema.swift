// SPDX-License-Identifier: Apache-2.0

package import Postgres
import SQLCatalog

/// Schema `report`: functions and views are made anew whenever a text of theirs changed, and a table is emptied, to be built
/// again before the next report, only where a text changed that its rows follow from.
package struct ReportSchema: Sendable {
    /// A table, and what its rows follow from.
    struct Table: Sendable {
        let name: String
        let definition: Statement
        let text: String
    }

    /// What has to be applied: everything, or nothing but tables that are new or changed.
    package struct Outstanding: Sendable {
        let definitions: [Statement]
        let tables: [Table]

        package var isEmpty: Bool { definitions.isEmpty && tables.isEmpty }

        /// The names of the files, with the texts that are remembered of them.
        package var files: [(name: String, text: String)] {
            definitions.map { ($0.name, $0.text) } + tables.map { ($0.definition.name, $0.text) }
        }
    }

    /// The reports, and what days they show.
    private static let views =
        SQL.Reports.views.compactMap { view in
            view.name.split(separator: "/").dropLast().last.map(String.init)
        } + ["report_scope"]
    private static let comparison = "figure_parts"
    private static let tables: [Table] =
        KeptTable.all.map {
            Table(name: $0.name, definition: $0.definition, text: $0.texts.joined(separator: "\n"))
        } + [
            Table(
                name: comparison, definition: KeptTable.comparison, text: KeptTable.comparison.text)
        ]

    private let connection: PostgresConnection

    package init(connection: PostgresConnection) {
        self.connection = connection
    }

    /// - Parameters:
    ///   - applied: the checksums of the texts that were applied, by the files' names.
    ///   - anyMigration: the tables that the reports read have changed: views and functions are made anew.
    package func outstanding(
        _ applied: [String: String], anyMigration: Bool
    ) async throws(PostgresError) -> Outstanding {
        let files = SQL.Reports.definitions
        let isChanged = try await zip(files, checksums(of: files.map(\.text))).contains { file, checksum in
            applied[file.name] != checksum
        }
        let tables = try await zip(Self.tables, checksums(of: Self.tables.map(\.text))).filter { table, checksum in
            applied[table.definition.name] != checksum
        }.map(\.0)
        let isAny = isChanged || anyMigration || !tables.isEmpty
        return Outstanding(definitions: isAny ? files : [], tables: tables)
    }

    /// Applies it, within one transaction.
    package func apply(_ outstanding: Outstanding) async throws(PostgresError) {
        guard !outstanding.isEmpty else { return }
        let refresh = SQL.Reports.Refresh.self
        for file in [refresh.useKept, refresh.upkeep] { try await connection.executeScript(file) }
        try await connection.execute(refresh.dropViews, [.textArray(Self.views)])
        for file in SQL.Reports.Functions.all + [refresh.kept] { try await connection.executeScript(file) }
        try await connection.execute(refresh.lockForEmptying)
        try await connection.executeScript(refresh.checked)
        for table in outstanding.tables {
            try await connection.execute(refresh.dropTable, [.text(table.name)])
            try await connection.executeScript(table.definition)
        }
        let stale = outstanding.tables.map(\.name).filter { $0 != Self.comparison }
        try await connection.execute(refresh.markStale, [.textArray(stale)])
        for file in [refresh.scope] + SQL.Reports.views + SQL.Reports.columns {
            try await connection.executeScript(file)
        }
    }

    private func checksums(of texts: [String]) async throws(PostgresError) -> [String] {
        var checksums: [String] = []
        for row in try await connection.query(SQL.Pipeline.checksum, [.textArray(texts)]) {
            checksums.append(try row.string("checksum"))
        }
        return checksums
    }
}
