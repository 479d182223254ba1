// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Pipeline
import Postgres
import TestSupport
import Testing

/// Forward only, once, checksums compared.
@Suite struct MigratorTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func aNewDatabaseGetsEveryFileAndASecondTimeNone() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            let first = try await migrator.migrate()
            #expect(first.first == "migrations/0001_runs.sql")
            #expect(first.contains("reports/revenue/view.sql"))
            let second = try await migrator.migrate()
            #expect(second == [])
        }
    }

    @Test func aMigrationThatChangedAfterItWasAppliedIsRefused() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            try await connection.script(
                "update public.subledger_schema_files set checksum = 'other' where path like '%0003%'")
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains("migrations/0003_transactions.sql") == true)
        }
    }

    @Test func twoMigratorsAtOnceApplyEachFileOnce() async throws {
        try await withTestDatabase { connection, configuration in
            let other = try await PostgresConnection.connect(configuration)
            async let first = Migrator(connection: connection, logger: Self.logger).migrate()
            async let second = Migrator(connection: other, logger: Self.logger).migrate()
            let applied = try await [first, second]
            #expect(applied.filter(\.isEmpty).count == 1)
            await other.close()
        }
    }

    @Test func appsAndTheAccessRuleFollowTheConfiguration() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            let app = Migrator.App(
                id: AppID("acme"), store: .appStore, environment: .sandbox, defaultCountry: "JP")
            try await migrator.keep([app], access: Access.Policy(buffer: .hours(36), unreadLimit: .days(5)))
            #expect(
                try await connection.lines("select app_id, store, environment, default_country from subledger.apps")
                    == ["acme|app_store|sandbox|JP"])
            #expect(
                try await connection.lines("select grace_buffer, unread_limit from subledger.settings")
                    == ["36:00:00|120:00:00"])
        }
    }
}
