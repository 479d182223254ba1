// SPDX-License-Identifier: Apache-2.0

import Logging
import Model
import Operations
import Postgres
import Runs
import Synchronization
import TestSupport
import Testing

/// Forward only, once, checksums compared.
@Suite struct MigratorTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func `a new database gets every file, and a second time none`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            let first = try await migrator.migrate()
            for file in ["schema/transactions.sql", "functions/access.sql", "reports/marts/revenue/view.sql"] {
                #expect(first.contains(file))
            }
            let second = try await migrator.migrate()
            #expect(second == [])
        }
    }

    @Test func `a database that a commit between two releases made is refused with a sentence`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            try await connection.script(
                "update subledger.schema_files set checksum = 'other' where path = 'schema/transactions.sql'")
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains("schema/transactions.sql") == true)
        }
    }

    /// Its tables of the reports are in schema `report`, made by files of other names.
    @Test func `so is one that was made before there was a schema marts`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            try await connection.script(
                """
                drop schema marts cascade;
                update subledger.schema_files set path = replace(path, 'schema/marts_', 'schema/report_')
                """)
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains("another text of schema/marts_") == true, "\(refusal?.message ?? "none")")
        }
    }

    @Test func `functions are applied again where a text of theirs changed`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            try await connection.script(
                """
                create or replace function subledger.share_of(amount_micros bigint, part_micros bigint, whole_micros bigint)
                returns bigint language sql immutable parallel safe return 7;
                update subledger.schema_files set checksum = 'older' where path = 'functions/refunds.sql'
                """)
            #expect(try await migrator.migrate().contains("functions/refunds.sql"))
            #expect(try await connection.lines("select subledger.share_of(10, 1, 2) as it") == ["5"])
        }
    }

    @Test func `two migrators at once apply each file once`() async throws {
        try await withTestDatabase { connection, configuration in
            let other = try await PostgresConnection.connect(configuration)
            async let first = Migrator(connection: connection, logger: Self.logger).migrate()
            async let second = Migrator(connection: other, logger: Self.logger).migrate()
            let applied = try await [first, second]
            #expect(applied.filter(\.isEmpty).count == 1)
            await other.close()
        }
    }

    @Test
    func `a schema that a newer version has migrated is left alone, with a sentence, by every job`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            try await connection.script(
                """
                insert into subledger.schema_files (path, checksum) values ('migrations/9000_later.sql', 'x');
                update subledger.schema_files set checksum = 'newer' where path = 'reports/marts/revenue/view.sql'
                """)
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains("migrations/9000_later.sql") == true)
            #expect(
                try await connection.lines(
                    "select checksum from subledger.schema_files where path = 'reports/marts/revenue/view.sql'")
                    == ["newer"])
            let late = await #expect(throws: PipelineError.self) { try await Self.open(connection) }
            #expect(late?.kind == .schemaDiffers)
        }
    }

    @Test func `a schema is not changed under a live run; a dead run does not block the change`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            _ = try await Self.open(connection)
            #expect(try await migrator.migrate() == [], "a program of the same version has nothing to change")
            try await Self.makeOutstanding(connection)
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(refusal?.message.contains("process 4711 on elsewhere.example") == true)
            try await connection.script("update subledger.runs set leased_until = now()")
            #expect(try await migrator.migrate().contains("reports/marts/revenue/view.sql"))
        }
    }

    /// Of hosts that work along, and of an intake beside the night.
    @Test(arguments: [
        ("1, '{1}', false, 'other.example:12:99:acme-ios'", "process 12 on other.example"),
        ("-1, '{}', true, 'process 12 on other.example'", "process 4711 on elsewhere.example"),
    ])
    func `a run whose leader is dead blocks the change as long as somebody is at a part of it`(
        chunk: String, process: String
    ) async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            let run = try await Self.open(connection).id
            try await Self.makeOutstanding(connection)
            try await connection.script(
                """
                update subledger.runs set leased_until = now();
                insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store');
                insert into subledger.run_chunks (
                    run_id, app_id, state, leased_until, chunk_no, subscription_keys, is_beside, leased_by)
                values (\(run), 'acme-ios', 'leased', now() + interval '1 hour', \(chunk))
                """)
            let refusal = await #expect(throws: PipelineError.self) { try await migrator.migrate() }
            #expect(refusal?.kind == .alreadyRunning)
            #expect(refusal?.message.contains(process) == true)
            try await connection.script("update subledger.run_chunks set leased_until = now() - interval '1 s'")
            #expect(try await migrator.migrate().contains("reports/marts/revenue/view.sql"))
        }
    }

    @Test func `a migrator waits for a run that is just being opened, and then sees it`() async throws {
        try await withTestDatabase { connection, configuration in
            _ = try await Migrator(connection: connection, logger: Self.logger).migrate()
            try await Self.makeOutstanding(connection)
            let opener = try await PostgresConnection.connect(configuration)
            let changer = try await PostgresConnection.connect(configuration)
            // The opening is held where it writes the run: after it has looked at the schema.
            try await connection.script("begin; lock table subledger.runs in share mode")
            let opening = Task { try await Self.open(opener) }
            try await Self.waitForWaiters(1, connection)
            let isOver = Mutex(false)
            let migrating = Task {
                defer { isOver.withLock { $0 = true } }
                return try await Migrator(connection: changer, logger: Self.logger).migrate()
            }
            try await Self.waitForWaiters(2, connection) { isOver.withLock { $0 } }
            let hasWaited = isOver.withLock { !$0 }
            #expect(hasWaited)
            try await connection.script("commit")
            _ = try await opening.value
            let refusal = await #expect(throws: PipelineError.self) { try await migrating.value }
            #expect(refusal?.kind == .alreadyRunning)
            await opener.close()
            await changer.close()
        }
    }

    private static func waitForWaiters(
        _ count: Int, _ connection: PostgresConnection, orUntil isOver: () -> Bool = { false }
    ) async throws {
        let waiting =
            "select count(*) from pg_locks where not granted and database = "
            + "(select oid from pg_database where datname = current_database())"
        while try await connection.lines(waiting) != ["\(count)"], !isOver() {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// As after an upgrade of the program: a view has another text.
    private static func makeOutstanding(_ connection: PostgresConnection) async throws {
        try await connection.script(
            "update subledger.schema_files set checksum = 'older' where path = 'reports/marts/revenue/view.sql'")
    }

    private static func open(_ connection: PostgresConnection) async throws -> Run {
        let now = try #require(Instant(iso8601: "2026-03-02T02:00:00Z"))
        let date = try #require(BusinessDate("2026-03-01"))
        return try await RunLedger(
            connection: connection, leader: Leader(host: "elsewhere.example", processID: 4_711)
        ).open(.nightly, apps: [], now: now, businessDate: date)
    }

    @Test func `apps and the access rule follow the configuration`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            let app = Migrator.App(
                id: AppID("acme"), store: .appStore, environment: .sandbox, defaultCountry: "JP")
            try await migrator.persist([app], access: AccessPolicy(buffer: .hours(36), unreadLimit: .days(5)))
            #expect(
                try await connection.lines("select app_id, store, environment, default_country from subledger.apps")
                    == ["acme|app_store|sandbox|JP"])
            #expect(
                try await connection.lines("select grace_buffer, unread_limit from subledger.settings")
                    == ["36:00:00|120:00:00"])
        }
    }

    /// A load that follows links has an app's row locked until it commits, and every job begins with the configuration.
    @Test func `an app that is as configured is waited for by no job`() async throws {
        try await withTestDatabase { connection, database in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            let policy = AccessPolicy(buffer: .hours(36), unreadLimit: .days(5))
            let app = Migrator.App(id: AppID("acme"), store: .appStore, environment: .production, defaultCountry: nil)
            try await migrator.persist([app], access: policy)
            let load = try await PostgresConnection.connect(database)
            try await load.script("begin; select from subledger.apps for no key update")
            try await connection.script("set lock_timeout = '100ms'")
            try await migrator.persist([app], access: policy)
            await load.close()
        }
    }

    @Test func `every seal retains whose owner sold on billing of his own when it was given`() async throws {
        try await withTestDatabase { connection, _ in
            let migrator = Migrator(connection: connection, logger: Self.logger)
            _ = try await migrator.migrate()
            let policy = AccessPolicy(buffer: .hours(24), unreadLimit: .days(3))
            for (seal, hasOwnBilling) in [(0, false), (0, true), (3, true), (7, false)] {
                try await connection.script("update subledger.settings set last_seal = \(seal)")
                let app = Migrator.App(
                    id: AppID("acme"), store: .googlePlay, environment: .production, defaultCountry: nil,
                    hasOwnBilling: hasOwnBilling)
                try await migrator.persist([app], access: policy)
            }
            #expect(
                try await connection.lines(
                    "select app_id, has_own_billing, after_seal from subledger.own_billing order by change_id") == [
                        "acme|true|0", "acme|false|7",
                    ])
        }
    }

    /// Changes before the first seal, between two seals back and forth, and configurations that say nothing of it.
    @Test func `E1: every seal retains the reporting currency that was configured when it was given`() async throws {
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
        try await migrator.persist(
            [], access: AccessPolicy(buffer: .hours(36), unreadLimit: .days(5)), reportingCurrency: currency)
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
