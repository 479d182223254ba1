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

    /// Changes before the first seal, between two seals back and forth, and configurations that say nothing of it.
    @Test("E1: every seal keeps the reporting currency that was configured when it was given")
    func sealsKeepTheirReportingCurrency() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            for configured in ["EUR", "EUR", nil] { try await Self.report(in: configured, migrator) }
            try await Self.seal(connection)
            for configured in ["JPY", "GBP"] { try await Self.report(in: configured, migrator) }
            try await Self.seal(connection)
            for configured in ["EUR", "GBP"] { try await Self.report(in: configured, migrator) }
            try await Self.seal(connection)
            try await Self.report(in: "CHF", migrator)
            #expect(
                try await connection.lines(
                    "select seal, subledger.reporting_currency_as_of(seal) from generate_series(1, 4) seal")
                    == ["1|EUR", "2|GBP", "3|GBP", "4|CHF"])
            #expect(
                try await connection.lines(
                    "select currency, after_seal from subledger.reporting_currencies order by change_id")
                    == ["USD|0", "EUR|0", "JPY|1", "GBP|1", "EUR|2", "GBP|2", "CHF|3"])
            #expect(
                try await connection.lines("select reporting_currency, last_seal from subledger.settings") == ["CHF|3"])
        }
    }

    private static func report(in currency: String?, _ migrator: Migrator) async throws {
        try await migrator.keep(
            [], access: Access.Policy(buffer: .hours(36), unreadLimit: .days(5)), reportingCurrency: currency)
    }

    private static func seal(_ connection: PostgresConnection) async throws {
        let ledger = RunLedger(connection: connection)
        let now = try #require(Instant(iso8601: "2026-03-02T02:00:00Z"))
        let date = try #require(BusinessDate("2026-03-01"))
        let run = try await ledger.open(.import, apps: [], now: now, businessDate: date)
        _ = try await ledger.seal(run)
        try await ledger.finish(run, outcome: .done, counts: [:])
    }
}
