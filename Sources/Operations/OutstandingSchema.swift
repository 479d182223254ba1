// SPDX-License-Identifier: Apache-2.0

import Marts
import Postgres
import Runs
import SQLCatalog

/// What is missing in a database, beside the texts that this program was built with.
struct OutstandingSchema: Sendable {
    /// All of them where the database is new, else none: migrations bring an older database to the same place.
    let tables: [Statement]
    let migrations: [Statement]
    /// All of them, or none.
    let functions: [Statement]
    /// Those that say something else than what was recorded of them.
    let facts: [Statement]
    let reports: ReportSchema.Outstanding
    /// What is remembered of what was applied, by file.
    let remembered: [(name: String, text: String)]

    var isOfNewDatabase: Bool { !tables.isEmpty }

    var isEmpty: Bool { tables.isEmpty && migrations.isEmpty && functions.isEmpty && facts.isEmpty && reports.isEmpty }

    /// All that are to be applied.
    var files: [Statement] {
        tables + migrations + functions + reports.definitions + reports.tables.map(\.definition)
    }

    /// The names of the files that are to be applied.
    var names: [String] { (tables + migrations + functions + facts).map(\.name) + reports.files.map(\.name) }

    /// Everything, for a database that is new: its tables are those that the migrations lead to.
    static func ofNewDatabase(_ texts: SchemaTexts, _ reports: ReportSchema) async throws(PostgresError) -> Self {
        let reports = try await reports.outstanding([:], anyChange: true)
        let files = (texts.tables + texts.functions + texts.migrations + texts.facts).map { ($0.name, $0.text) }
        return OutstandingSchema(
            tables: texts.tables, migrations: [], functions: texts.functions, facts: texts.facts, reports: reports,
            remembered: files + reports.files)
    }

    /// What came since it was last migrated.
    ///
    /// Throws `PipelineError` `.schemaDiffers` where its tables are none that a migration of this program leads on
    /// from.
    static func of(
        _ texts: SchemaTexts, _ reports: ReportSchema, beyond applied: [String: String],
        on connection: PostgresConnection
    ) async throws -> Self {
        let files = texts.tables + texts.functions + texts.migrations + texts.facts
        let changed = try await changes(of: files, applied, connection)
        try refuseChanged(texts.migrations.filter { changed.contains($0.name) && applied[$0.name] != nil })
        let migrations = texts.migrations.filter { applied[$0.name] == nil }
        let tables = texts.tables.filter { changed.contains($0.name) }
        if migrations.isEmpty { try refuseChanged(tables) }
        let isAny = !migrations.isEmpty || texts.functions.contains { changed.contains($0.name) }
        let outstanding = try await reports.outstanding(applied, anyChange: isAny)
        let functions = isAny ? texts.functions : []
        let facts = texts.facts.filter { changed.contains($0.name) }
        return OutstandingSchema(
            tables: [], migrations: migrations, functions: functions, facts: facts, reports: outstanding,
            remembered: (tables + functions + migrations + facts).map { ($0.name, $0.text) } + outstanding.files)
    }

    /// The names of those whose text was not applied as it is.
    private static func changes(
        of files: [Statement], _ applied: [String: String], _ connection: PostgresConnection
    ) async throws(PostgresError) -> Set<String> {
        let rows = try await connection.query(SQL.Pipeline.checksum, [.textArray(files.map(\.text))])
        var changed: Set<String> = []
        for (file, row) in zip(files, rows) where applied[file.name] != (try row.string("checksum")) {
            changed.insert(file.name)
        }
        return changed
    }

    private static func refuseChanged(_ files: [Statement]) throws(PipelineError) {
        guard let file = files.first else { return }
        throw PipelineError(
            .schemaDiffers,
            "this database was made with another text of \(file.name), by a commit between two releases, and no migration leads on "
                + "from there: use the commit that made it, or give this one a new database")
    }
}
