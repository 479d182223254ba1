// SPDX-License-Identifier: Apache-2.0

import Model
import Operations
import Postgres
import Runs
import SQLCatalog
import TestSupport
import Testing

/// The owner of the schema changes it; another role takes it as it is, where it was granted to.
@Suite(.hangLimit) struct SchemaOwnershipTests {
    /// A migrated database and a session of another role there, which may not make anything in it.
    private static func withOther(
        granted: Bool = true, temporary: Bool = true, named role: String,
        _ body: (_ owner: PostgresConnection, _ other: PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase { owner, configuration in
            let database = try #require(configuration.database)
            _ = try await migrate(owner)
            try await owner.executeScript(SQL.Roles.roles)
            try await owner.script(
                """
                create role \(role) login;
                revoke all on database \(database) from public;
                grant connect\(temporary ? ", temporary" : "") on database \(database) to \(role)
                """)
            if granted { try await owner.script("grant subledger_night to \(role)") }
            let other = try await PostgresConnection.connect(configuration.with(user: role))
            try await body(owner, other)
            await other.close()
            try await owner.script("drop owned by \(role); drop role \(role)")
        }
    }

    private static func migrate(_ connection: PostgresConnection) async throws -> [String] {
        try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
    }

    private static func refusal(_ connection: PostgresConnection) async -> PipelineError? {
        await #expect(throws: PipelineError.self) { try await migrate(connection) }
    }

    @Test func `a role that was granted the night takes a schema that is up to date`() async throws {
        try await Self.withOther(named: "night_up_to_date") { _, other in
            #expect(try await Self.migrate(other) == [])
            try await Migrator(connection: other, logger: RecordedLog().logger).persist(
                [], access: AccessPolicy(), reportingCurrency: "USD")
        }
    }

    /// Before anything that a run is asked: an open one does not matter.
    @Test func `it changes none that is older, and says who does`() async throws {
        try await Self.withOther(named: "night_of_older") { owner, other in
            try await owner.script(
                """
                insert into subledger.runs (
                    job, business_date, logical_now, outcome, host, process_id, leased_until)
                values ('nightly', '2026-02-05', '2026-02-06 02:00Z', 'running', 'here', 1, now() + interval '1 hour');
                update subledger.schema_files set checksum = 'older' where path = 'functions/refunds.sql'
                """)
            let user = try await owner.lines("select current_user as it")[0]
            let refusal = await Self.refusal(other)
            #expect(refusal?.kind == .ownerNeeded)
            #expect(
                refusal?.message.contains("belongs to \(user), not to night_of_older: run subledger migrate as \(user)")
                    == true, "\(refusal?.message ?? "none")")
            #expect(
                try await owner.lines(
                    "select checksum from subledger.schema_files where path = 'functions/refunds.sql'") == ["older"])
        }
    }

    @Test(arguments: [
        (false, true, "night_of_nothing", "grant subledger_night to night_of_nothing"),
        (true, false, "night_without_temp", "grant temporary on database"),
    ])
    func `a role without a right that a night needs reads which`(
        granted: Bool, temporary: Bool, role: String, advice: String
    ) async throws {
        try await Self.withOther(granted: granted, temporary: temporary, named: role) { _, other in
            let refusal = await Self.refusal(other)
            #expect(refusal?.kind == .ownerNeeded)
            #expect(refusal?.message.contains(advice) == true, "\(refusal?.message ?? "none")")
        }
    }

    /// What the night may do to history and to the list of files.
    @Test func `the night's role makes, drops, empties and rewrites nothing of the owner's`() async throws {
        try await Self.withOther(named: "night_that_tries") { _, other in
            for forbidden in [
                "create table public.mine ()", "create table subledger.mine ()", "create table report.mine ()",
                "create table marts.mine ()", "drop table marts.churn_daily",
                "create schema mine", "create function report.mine() returns int language sql return 1",
                "create trigger mine before insert on subledger.runs for each row execute function "
                    + "subledger.refuse_rewriting_history()",
                "drop table subledger.runs", "drop view report.revenue", "alter table subledger.runs add column c int",
                "truncate subledger.ledger_entries", "truncate subledger.runs cascade",
                "update subledger.schema_files set checksum = 'mine'", "delete from subledger.schema_files",
                "insert into subledger.schema_objects values ('mine')",
            ] {
                let error = await #expect(throws: PostgresError.self, "\(forbidden)") {
                    try await other.script(forbidden)
                }
                #expect(error?.sqlState == "42501", "\(forbidden): \(error?.message ?? "none")")
            }
        }
    }

    /// Whoever owns a schema may drop what another role makes in it, and put something else there.
    @Test(arguments: ["subledger", "marts", "report"])
    func `a schema that another role made is not taken`(schema: String) async throws {
        try await withTestDatabase { connection, configuration in
            let role = "maker_of_\(schema)"
            try await connection.script(
                "create role \(role); create schema \(schema) authorization \(role); create schema other")
            let refusal = await Self.refusal(connection)
            #expect(refusal?.kind == .unsuitableDatabase)
            let message = refusal?.message ?? "none"
            #expect(message.contains("schema \(schema) belongs to \(role)"), "\(message)")
            try await connection.script("alter schema \(schema) owner to current_user")
            #expect(try await Self.migrate(connection).isEmpty == false)
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    /// In schemas that were made for it there is nothing yet that the second could wait at.
    @Test(arguments: ["", "create schema subledger; create schema marts; create schema report"])
    func `of several that migrate a new database at once one makes it`(before: String) async throws {
        try await withTestDatabase { connection, configuration in
            if !before.isEmpty { try await connection.script(before) }
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let own = try await PostgresConnection.connect(configuration)
                        let applied = try await Self.migrate(own)
                        await own.close()
                        return applied
                    }
                }
                return try await group.reduce(into: [[String]]()) { $0.append($1) }
            }
            #expect(applied.filter { !$0.isEmpty }.count == 1)
        }
    }
}
