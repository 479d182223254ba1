// SPDX-License-Identifier: Apache-2.0

package import Postgres
import SQLCatalog

/// The views of schema `report`, and the tables and functions of schema `marts`: functions and views are defined again whenever a text
/// of theirs changed, in place where PostgreSQL can; a table is made again where its own text changed, and filled again before the next
/// report where a text changed that its rows follow from.
package struct ReportSchema: Sendable {
    /// A table, and what its rows follow from.
    package struct Table: Sendable {
        let name: String
        package let definition: Statement
        /// The definition and all other texts that its rows follow from.
        let text: String

        /// With its schema.
        var qualifiedName: String { "marts.\(name)" }

        init(name: String, definition: Statement, text: String) {
            self.name = name
            self.definition = definition
            self.text = text
        }
    }

    /// How far what is there has to go before it is defined again.
    package enum Manner: Int, Sendable, Comparable {
        /// Everything stays, and whatever others have built on it.
        case inPlace
        /// Views go first: columns of one changed otherwise than by new ones at its end, or a table is made again.
        case viewsFirst
        /// Functions, too: one returns something else.
        case functionsFirst

        package static func < (one: Manner, other: Manner) -> Bool { one.rawValue < other.rawValue }

        /// What to try where PostgreSQL refused this one with that error; nil where no other would help.
        package func next(after error: PostgresError) -> Manner? {
            switch error.sqlState {
            case "42P16": self < .viewsFirst ? .viewsFirst : nil  // A view's columns.
            // What a function returns, or what it takes: its comment then means two of that name.
            case "42P13", "42725": self < .functionsFirst ? .functionsFirst : nil
            default: nil
            }
        }
    }

    /// What has to be applied: everything, or nothing but tables that are new or changed.
    package struct Outstanding: Sendable {
        package let definitions: [Statement]
        /// To be made, or made again.
        package let tables: [Table]
        /// To be filled again.
        let stale: [Table]

        package var isEmpty: Bool { definitions.isEmpty && tables.isEmpty && stale.isEmpty }

        /// What has to be locked before it is applied, with its schema.
        ///
        /// Whoever reads the tables, within a transaction of several statements, has locked their position.
        package var lockedRelations: [String] {
            if definitions.isEmpty { return [] }
            let tables = tables.map(\.qualifiedName)
            return ReportSchema.views + (tables.isEmpty ? [] : tables + ["marts.materialisation"])
        }

        /// What is taken away before it is applied, with its schema.
        package func takenAway(in manner: Manner) -> [String] {
            guard manner >= .viewsFirst || !tables.isEmpty else { return [] }
            return ReportSchema.views + tables.map(\.qualifiedName)
        }

        /// The names of the files, with the texts that are remembered of them.
        package var files: [(name: String, text: String)] {
            definitions.map { ($0.name, $0.text) } + tables.map { ($0.definition.name, $0.definition.text) }
                + stale.map { (ReportSchema.rowsName($0), $0.text) }
        }
    }

    /// The reports, and what days they show.
    fileprivate static let views = (SQL.Reports.views.map(SQL.Reports.report) + ["report_scope"]).map { "report.\($0)" }
    private static let comparison = "figure_parts"
    /// Tables of `sql/schema`: where the others are, and how far.
    private static let ofPosition = [
        "marts.materialisation", "marts.stale_tables", "marts.part_keys", "marts.checked", "marts.moved_days",
    ]
    private static let tables: [Table] =
        MaterialisedTable.all.map {
            Table(name: $0.name, definition: $0.definition, text: $0.texts.joined(separator: "\n"))
        } + [
            Table(
                name: comparison, definition: MaterialisedTable.comparison, text: MaterialisedTable.comparison.text)
        ]

    /// Under which name it is remembered what a table's rows follow from.
    private static func rowsName(_ table: Table) -> String { "\(table.definition.name), its rows" }

    private let connection: PostgresConnection

    package init(connection: PostgresConnection) {
        self.connection = connection
    }

    /// `applied`: the checksums of the texts that were applied, by the files' names.
    ///
    /// `anyChange`: tables or functions that the reports read have changed: views and functions are defined again.
    package func outstanding(
        _ applied: [String: String], anyChange: Bool
    ) async throws(PostgresError) -> Outstanding {
        let changed = try await changedNames(applied)
        let files = SQL.Reports.definitions
        let tables = Self.tables.filter { changed.contains($0.definition.name) }
        let stale = Self.tables.filter { changed.contains(Self.rowsName($0)) }
        let isAny = anyChange || !tables.isEmpty || !stale.isEmpty || files.contains { changed.contains($0.name) }
        return Outstanding(definitions: isAny ? files : [], tables: tables, stale: stale)
    }

    private func changedNames(_ applied: [String: String]) async throws(PostgresError) -> Set<String> {
        let remembered =
            SQL.Reports.definitions.map { ($0.name, $0.text) }
            + Self.tables.flatMap { [($0.definition.name, $0.definition.text), (Self.rowsName($0), $0.text)] }
        let rows = try await connection.query(SQL.Pipeline.checksum, [.textArray(remembered.map(\.1))])
        var changed: Set<String> = []
        for (file, row) in zip(remembered, rows) where applied[file.0] != (try row.string("checksum")) {
            changed.insert(file.0)
        }
        return changed
    }

    /// Applies it, within one transaction; where PostgreSQL refuses that, `Manner.next` says how else.
    package func apply(_ outstanding: Outstanding, in manner: Manner) async throws(PostgresError) {
        guard !outstanding.isEmpty else { return }
        let refresh = SQL.Reports.Refresh.self
        for file in [refresh.useMarts, refresh.upkeep] { try await connection.executeScript(file) }
        let names = outstanding.tables.map(\.qualifiedName)
        if manner >= .viewsFirst || !names.isEmpty { try await dropViews(and: names) }
        if manner >= .functionsFirst { try await connection.execute(SQL.Pipeline.dropFunctions) }
        for file in SQL.Reports.Functions.all { try await connection.executeScript(file) }
        for table in outstanding.tables { try await connection.executeScript(table.definition.made(in: .schema)) }
        try await connection.execute(refresh.forgetChecks)
        let stale = (outstanding.tables + outstanding.stale).map(\.name).filter { $0 != Self.comparison }
        try await connection.execute(refresh.markStale, [.textArray(Set(stale).sorted())])
        for file in [refresh.scope] + SQL.Reports.views.map({ $0.made(in: .schema) }) + SQL.Reports.columns {
            try await connection.executeScript(file)
        }
        let needed = Self.tables.map(\.qualifiedName) + Self.ofPosition
        try await connection.execute(SQL.Pipeline.dropObsolete, [.textArray(Self.views), .textArray(needed)])
    }

    private func dropViews(and tables: [String]) async throws(PostgresError) {
        try await connection.execute(SQL.Pipeline.dropViews, [.textArray(Self.views)])
        try await connection.execute(SQL.Pipeline.dropTables, [.textArray(tables)])
    }
}
