// SPDX-License-Identifier: Apache-2.0

package import Postgres
import SQLCatalog

extension TestTemplate {
    /// The program's whole schema and two apps, `acme-ios` and `acme-receipts`.
    package static let ledger = ledger(named: "ledger_template") { _ in }

    /// The same with more.
    package static func ledger(named name: String, and more: @escaping Content) -> TestTemplate {
        TestTemplate(name) { connection in
            try await connection.executeScript(SQL.Pipeline.createSchemas)
            let texts = SchemaTexts.ofThisProgram
            for file in texts.tables + texts.functions { try await connection.executeScript(file) }
            for file in texts.facts { try await connection.execute(file, [.int(0)]) }
            for file in texts.tables + texts.functions + texts.migrations + texts.facts {
                try await connection.execute(SQL.Pipeline.recordSchemaFile, [.text(file.name), .text(file.text)])
            }
            try await connection.recordSchemaObjects()
            try await connection.script(
                """
                insert into subledger.apps (app_id, store)
                values ('acme-ios', 'app_store'), ('acme-receipts', 'app_store')
                """)
            try await more(connection)
        }
    }
}

/// Gives `body` a new database with the program's whole schema and two apps: `acme-ios` and `acme-receipts`.
package func withLedgerDatabase<R>(
    _ body: (PostgresConnection, PostgresConfiguration) async throws -> R
) async throws -> R {
    try await withTestDatabase(from: .ledger, body)
}

extension PostgresConnection {
    /// Says that everything in the schemas was made by a migrator.
    package func recordSchemaObjects() async throws {
        let objects = try await query(SQL.Pipeline.listObjects).map { try $0.string("identity") }
        try await execute(SQL.Pipeline.recordObjects, [.textArray(objects)])
    }

    /// The rows of a query as texts, columns separated by `|` and NULL empty: what a person would compare by eye.
    package func lines(_ query: String, _ parameters: [PostgresValue] = []) async throws -> [String] {
        let text =
            "select array_to_string(array(select coalesce(value, '') from json_each_text(row_to_json(r))), '|') "
            + "as line from (\(query)) r"
        return try await self.query(Statement(name: "test query", text: text), parameters).map { try $0.string("line") }
    }

    /// Runs a script of the test's own.
    package func script(_ text: String) async throws {
        try await executeScript(Statement(name: "test script", text: text))
    }
}
