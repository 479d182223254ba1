// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Commission rates that a later release publishes are recorded by the run that migrates, and no earlier report sees them.
@Suite struct PublishedRulesTests {
    /// A release in which the standard rate of Japan is another one, and Brazil's has ended.
    private static func laterRelease() throws -> SchemaTexts {
        let now = SchemaTexts.ofThisProgram
        let facts = try #require(now.facts.first)
        let japan = "'standard', 'app_store', 'JP', '', 0.26, '2025-12-17', null"
        let brazil = "'standard', 'app_store', 'BR', '', 0.26, '2026-06-18', null"
        try #require(facts.text.contains(japan) && facts.text.contains(brazil))
        let text = facts.text.replacing(japan, with: "'standard', 'app_store', 'JP', '', 0.20, '2025-12-17', null")
            .replacing(brazil, with: "'standard', 'app_store', 'BR', '', 0.26, '2026-06-18', '2026-12-01'")
        return SchemaTexts(
            tables: now.tables, functions: now.functions, migrations: now.migrations,
            facts: [Statement(name: facts.name, text: text)])
    }

    private static func rate(
        _ country: String, _ day: String, seal: Int, _ connection: PostgresConnection
    ) async throws -> [String] {
        try await connection.lines(
            """
            select rate::numeric(3, 2)
            from marts.commission_as_of(
                \(seal), 'app_store', 'acme-ios', '\(country)', 'auto_renewable', '\(day)', false)
            """)
    }

    @Test func `a rate of a later release moves no report of an earlier seal`() async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
            try await connection.script(
                """
                update subledger.settings set last_seal = 1;
                insert into subledger.runs (
                    job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
                values ('nightly', '2026-12-09', '2026-12-10 02:15Z', now(), now(), 1, 'done', 'host', 1)
                """)
            let later = Migrator(connection: connection, logger: RecordedLog().logger, texts: try Self.laterRelease())
            #expect(try await later.migrate() == ["data/commission_rules.sql"])
            #expect(try await later.migrate() == [])
            #expect(try await Self.rate("JP", "2026-12-05", seal: 1, connection) == ["0.26"])
            #expect(try await Self.rate("JP", "2026-12-05", seal: 2, connection) == ["0.20"])
            #expect(try await Self.rate("BR", "2026-12-05", seal: 1, connection) == ["0.26"])
            #expect(try await Self.rate("BR", "2026-12-05", seal: 2, connection) == ["0.30"])
            #expect(
                try await connection.lines("select job, seal from subledger.runs order by seal") == [
                    "nightly|1", "migrate|2",
                ])
            let recorded = try await connection.lines(
                "select count(*) from subledger.commission_rules where recorded_run_id <> 0")
            #expect(recorded == ["2"], "what reads as before is not recorded again")
        }
    }
}
