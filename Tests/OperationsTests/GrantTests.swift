// SPDX-License-Identifier: Apache-2.0

import Logging
import Operations
import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Who shares the database reads all that was granted, and still does after the program was upgraded.
@Suite struct GrantTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func migrate(_ connection: PostgresConnection) async throws -> [String] {
        try await Migrator(connection: connection, logger: logger).migrate()
    }

    /// Every view and every table of the reports.
    private static func readings(_ connection: PostgresConnection) async throws -> [String] {
        let relations = try await connection.lines(
            """
            select format('select * from %s.%I', relnamespace::regnamespace, relname) from pg_class
            where relnamespace in ('marts'::regnamespace, 'report'::regnamespace) and relkind in ('r', 'v')
            """)
        #expect(relations.contains("select * from report.mrr_bridge"))
        #expect(relations.contains("select * from marts.paid_periods"))
        return relations + [
            "select * from report.states_on('2026-02-28')", "select * from report.states_on('2026-02-28', 1)",
            "select * from subledger.transactions", "select * from subledger.report_issues",
        ]
    }

    private static func expectEverythingReadable(_ connection: PostgresConnection) async throws {
        let readings = try await readings(connection)
        try await connection.script("set role subledger_analyst")
        for reading in readings {
            await #expect(throws: Never.self, "\(reading)") { try await connection.script(reading) }
        }
        let states = try await connection.lines("select state from report.states_on('2026-02-28')")
        #expect(states == ["active"])
        for forbidden in ["store_key", "account_id", "receipt_id"] {
            await #expect(throws: PostgresError.self) {
                try await connection.script("select \(forbidden) from subledger.subscriptions")
            }
        }
        try await connection.script("reset role; set role subledger_backend")
        #expect(try await connection.lines("select subledger.has_access(7, '2026-02-10') as it") == ["true"])
        #expect(try await connection.lines("select subledger.has_access(7) as it") == ["false"])
        #expect(try await connection.lines("select account_id from subledger.entitlements") == ["alice"])
        await #expect(throws: PostgresError.self) {
            try await connection.script("select * from subledger.subscriptions")
        }
        try await connection.script("reset role")
    }

    private static func history(_ connection: PostgresConnection) async throws {
        try await connection.script(
            """
            insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store');
            insert into subledger.runs (
                job, business_date, logical_now, finished_at, sealed_at, seal, outcome, host, process_id)
            values ('nightly', '2026-02-05', '2026-02-06 02:00Z', now(), now(), 1, 'done', 'here', 1);
            insert into subledger.subscriptions (
                subscription_key, lineage_key, app_id, store, store_key, account_id, registered_at, state, expires_at,
                last_checked_at)
            values (7, 7, 'acme-ios', 'app_store', '2001', 'alice', '2026-01-01', 'active', '2026-02-20', '2026-02-05');
            insert into subledger.state_changes (
                subscription_key, change_id, occurred_at, recorded_at, run_id, state, expires_at)
            values (7, 1, '2026-02-01', '2026-02-05', 1, 'active', '2026-02-20')
            """)
    }

    @Test func `everything granted is readable before and after an upgrade`() async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Self.migrate(connection)
            try await Self.history(connection)
            try await connection.executeScript(SQL.Roles.roles)
            try await Self.expectEverythingReadable(connection)
            // A new version brings another text of one report: all of them are rebuilt.
            try await connection.script(
                """
                update subledger.schema_files set checksum = 'older' where path = 'reports/marts/revenue/view.sql'
                """)
            #expect(try await Self.migrate(connection).contains("reports/marts/revenue/view.sql"))
            try await Self.expectEverythingReadable(connection)
        }
    }

    /// The roles belong to the whole server: a database that was not shared with them stays so.
    @Test func `a database that was never shared is not shared by an upgrade`() async throws {
        try await withTestDatabase { shared, _ in
            _ = try await Self.migrate(shared)
            try await shared.executeScript(SQL.Roles.roles)
            try await withTestDatabase { connection, _ in
                _ = try await Self.migrate(connection)
                try await connection.script("set role subledger_analyst")
                await #expect(throws: PostgresError.self) {
                    try await connection.script("select * from report.revenue")
                }
                try await connection.script("reset role")
            }
        }
    }
}
