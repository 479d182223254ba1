// SPDX-License-Identifier: Apache-2.0

import Foundation
import Operations
import Postgres
import Runs
import SQLCatalog
import TestSupport
import Testing

/// A database of an earlier release, filled with data, is led by migrations to where a new one is: `Releases` has the
/// schema of each.
///
/// Until there is one, a made-up release is led there by a made-up migration.
@Suite struct ReleaseUpgradeTests {
    private static func text(of release: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Releases")
        return try String(contentsOf: folder.appending(path: "\(release).sql"), encoding: .utf8)
    }

    private static let sales = Statement(
        name: "schema/sales.sql",
        text: """
            create table subledger.sales (
                sale_id bigint not null,
                amount_micros bigint not null,
                currency text not null default 'USD',
                constraint sales_pkey primary key (sale_id),
                constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$')
            );
            create index sales_by_currency on subledger.sales (currency);
            comment on table subledger.sales is 'Sales';
            comment on column subledger.sales.sale_id is 'Its number';
            comment on column subledger.sales.amount_micros is 'Micros';
            comment on column subledger.sales.currency is 'ISO 4217';
            """)
    private static let sums = Statement(
        name: "functions/sums.sql",
        text: """
            create or replace function subledger.doubled(amount_micros bigint) returns bigint
            language sql immutable
            as 'select 2 * amount_micros';
            """)
    /// The migration in its parts: a release that forgets one of them is found.
    private static let steps = [
        "alter table subledger.sales add column currency text not null default 'USD';",
        "alter table subledger.sales add constraint currencies_are_iso_codes check (currency ~ '^[A-Z]{3}$');",
        "create index sales_by_currency on subledger.sales (currency);",
        "comment on column subledger.sales.currency is 'ISO 4217';",
    ]

    /// Only what is made up: the program's own tables and reports are not there.
    private static func apply(
        _ steps: [String], to connection: PostgresConnection, isNew: Bool
    ) async throws {
        if isNew {
            try await connection.executeScript(SQL.Pipeline.createSchemas)
            for name in ["schema/schema_files.sql", "schema/schema_objects.sql"] {
                let file = try #require(SchemaTexts.ofThisProgram.tables.first { $0.name == name })
                try await connection.executeScript(file)
            }
            try await connection.executeScript(sales)
        } else {
            try await connection.script(try text(of: "made_up"))
            // Comments of these two are as today's.
            for name in ["schema_files", "schema_objects"] {
                let file = try #require(SchemaTexts.ofThisProgram.tables.first { $0.name == "schema/\(name).sql" })
                try await connection.script(
                    file.text.split(separator: "\n").filter { $0.hasPrefix("comment") }.joined(separator: "\n"))
            }
            for step in steps { try await connection.script(step) }
        }
        try await connection.executeScript(sums)
    }

    private static func differences(after steps: [String]) async throws -> [String] {
        let led = try await catalogue(after: steps, isNew: false)
        return led.differences(from: try await catalogue(after: [], isNew: true))
    }

    private static func catalogue(after steps: [String], isNew: Bool) async throws -> Catalogue {
        try await withTestDatabase { connection, _ in
            try await apply(steps, to: connection, isNew: isNew)
            let materialised = try await connection.lines("select amount_micros from subledger.sales")
            #expect(materialised == (isNew ? [] : ["9990000"]))
            return try await Catalogue(of: connection)
        }
    }

    @Test func `a made-up release is led to where a new database is`() async throws {
        #expect(try await Self.differences(after: Self.steps) == [])
    }

    @Test(arguments: Self.steps.indices) func `a migration that forgets something is found`(left: Int) async throws {
        var steps = Self.steps
        steps.remove(at: left)
        // What comes after a column needs it.
        if left == 0 { steps = [] }
        #expect(try await Self.differences(after: steps).isEmpty == false)
    }

    /// The migrator itself, with a made-up migration behind the program's own texts.
    @Test func `a migration is applied once, and its table's text is remembered as it is now`() async throws {
        try await withTestDatabase { connection, _ in
            let texts = SchemaTexts.ofThisProgram
            let log = RecordedLog().logger
            _ = try await Migrator(connection: connection, logger: log).migrate()
            let apps = try #require(texts.tables.first { $0.name == "schema/apps.sql" })
            let changed = Statement(name: apps.name, text: apps.text + "-- With colours.\n")
            let later = SchemaTexts(
                tables: texts.tables.map { $0.name == apps.name ? changed : $0 }, functions: texts.functions,
                migrations: texts.migrations + [
                    Statement(
                        name: "migrations/0001_colours.sql",
                        text: "alter table subledger.apps add column colour text; "
                            + "comment on column subledger.apps.colour is 'The colour of its lines'")
                ])
            let migrator = Migrator(connection: connection, logger: log, texts: later)
            #expect(try await migrator.migrate().contains("migrations/0001_colours.sql"))
            #expect(try await migrator.migrate() == [])
            try await connection.script("select colour from subledger.apps")
            let refusal = await #expect(throws: PipelineError.self) {
                try await Migrator(connection: connection, logger: log).migrate()
            }
            #expect(refusal?.message.contains("a newer one has migrated it") == true)
        }
    }
}
