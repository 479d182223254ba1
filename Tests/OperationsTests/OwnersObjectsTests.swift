// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import Runs
import TestSupport
import Testing

/// A migrator touches only what a migrator made.
@Suite struct OwnersObjectsTests {
    private static func migrate(_ connection: PostgresConnection) async throws -> [String] {
        try await Migrator(connection: connection, logger: KeptLog().logger).migrate()
    }

    /// A migrated database, and the next version's change: a view's text is another one, or a table's.
    private static func withUpgrade(
        of file: String = "reports/marts/revenue/view.sql", _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withTestDatabase { connection, _ in
            _ = try await migrate(connection)
            try await connection.script(
                "update subledger.schema_files set checksum = 'older' where path = '\(file)'")
            try await body(connection)
        }
    }

    /// Everything in both schemas, whoever made it, with what it says.
    private static func contents(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select c.oid::text as oid, c.relname, c.relacl::text as rights, pg_get_viewdef(c.oid) as text from pg_class c
            where relnamespace in (select oid from pg_namespace where nspname in ('subledger', 'report'))
                and relkind in ('r', 'v')
            union all
            select p.oid::text, p.proname, p.proacl::text, p.prosrc from pg_proc p
            where pronamespace in (select oid from pg_namespace where nspname in ('subledger', 'report'))
            order by 2, 1
            """)
    }

    @Test(arguments: [
        ("create schema report; create table report.revenue (amount bigint)", "table report.revenue"),
        (
            "create schema subledger; create function subledger.mine() returns int language sql return 1",
            "subledger.mine()"
        ),
        ("create schema report; create type report.mood as enum ('good')", "type report.mood"),
        ("create schema report; create schema subledger; create view subledger.v as select 1", "view subledger.v"),
    ])
    func `a database whose schemas hold something of others is refused the first time`(
        making: String, named: String
    ) async throws {
        try await withTestDatabase { connection, _ in
            try await connection.script(making)
            let before = try await Self.contents(connection)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .unsuitableDatabase)
            #expect(refusal?.message.contains(named) == true, "\(refusal?.message ?? "none")")
            #expect(try await Self.contents(connection) == before)
        }
    }

    @Test func `schemas that were made empty for it are taken, by a role that may make none`() async throws {
        try await withTestDatabase { connection, configuration in
            let role = "etl_of_schemas"
            try await connection.script(
                """
                create role \(role) login;
                create schema subledger authorization \(role);
                create schema report authorization \(role)
                """)
            let other = try await PostgresConnection.connect(configuration.with(user: role))
            #expect(try await Self.migrate(other).isEmpty == false)
            await other.close()
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    @Test(arguments: ["reports/marts/revenue/view.sql", "reports/functions/calendar.sql"])
    func `later, what others keep in the schemas and build on ours is left alone`(file: String) async throws {
        try await Self.withUpgrade(of: file) { connection in
            try await connection.script(
                """
                create table report.budget (month date, amount bigint);
                create function report.portion(part text, whole text) returns text language sql return part || whole;
                create view report.mine as select date, net from report.revenue;
                create view public.theirs as select account_id, has_access from subledger.entitlements;
                create materialized view public.kept as select date, churned from report.churn
                """)
            let before = try await Self.contents(connection)
            #expect(try await Self.migrate(connection).contains(file))
            #expect(try await Self.contents(connection) == before)
            try await connection.script("select * from report.mine, public.theirs, public.kept")
            #expect(try await Self.migrate(connection) == [])
        }
    }

    /// A view, a table and a function that others made under names that this version gives to its own.
    @Test(arguments: [
        (
            "alter view report.tenure rename to tenure_of_ours; create view report.tenure as table report.tenure_of_ours",
            "view report.tenure"
        ),
        (
            "alter view report.tenure rename to tenure_of_ours; create table report.tenure (id bigint)",
            "table report.tenure"
        ),
        (
            """
            create or replace function report.share(part bigint, whole bigint) returns numeric language sql immutable
            as 'select 7::numeric'
            """,
            "function report.share"
        ),
        (
            "create function report.share(part text, whole text) returns text language sql return part || whole",
            "function report.share(pg_catalog.text"
        ),
    ])
    func `what stands in the way is named, and nothing is changed`(making: String, named: String) async throws {
        try await Self.withUpgrade { connection in
            try await connection.script(making)
            // No migrator made it.
            try await connection.script(
                """
                delete from subledger.schema_objects
                where identity = 'view report.tenure'
                    or identity like 'function report.share(%' and '\(named)' = 'function report.share'
                """)
            let before = try await Self.contents(connection)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains(named) == true, "\(refusal?.message ?? "none")")
            #expect(try await Self.contents(connection) == before)
        }
    }

    /// A table of the reports is made again, so that the views over it are.
    @Test func `a view of others over what has to be made again is named, and goes on showing what it did`()
        async throws
    {
        try await Self.withUpgrade(of: "reports/marts/churn/table.sql") { connection in
            try await connection.script("create view public.my_churn as select date, churned from report.churn")
            let before = try await Self.contents(connection)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains("public.my_churn") == true, "\(refusal?.message ?? "none")")
            #expect(try await Self.contents(connection) == before)
            #expect(try await connection.lines("select count(*) from public.my_churn") == ["0"])
            try await connection.script("drop view public.my_churn")
            #expect(try await Self.migrate(connection).contains("reports/marts/churn/table.sql"))
        }
    }

    /// Rights given by hand, to a role and to everybody, on a view, a column and a function.
    @Test(arguments: ["reports/marts/churn/table.sql", "reports/marts/churn/view.sql"])
    func `who was granted something by hand has it after everything was made again`(file: String) async throws {
        try await Self.withUpgrade(of: file) { connection in
            let role = "reader_by_hand_\(file.hasSuffix("table.sql"))"
            try await connection.script(
                """
                create role \(role);
                grant usage on schema report to \(role);
                grant select on report.churn to \(role) with grant option;
                grant select (date, net) on report.revenue to \(role);
                revoke execute on function report.whole_lineages(bigint[]) from public;
                grant execute on function report.whole_lineages(bigint[]) to \(role)
                """)
            let rights = """
                select relname, relacl::text as rights from pg_class where relnamespace = 'report'::regnamespace
                    and relname in ('churn', 'revenue')
                union all
                select attname, attacl::text from pg_attribute where attrelid = 'report.revenue'::regclass
                    and attacl is not null
                union all
                select proname, proacl::text from pg_proc where proname = 'whole_lineages' order by 1
                """
            let before = try await connection.lines(rights)
            #expect(before.filter { $0.contains(role) }.count == 4)
            _ = try await Self.migrate(connection)
            #expect(try await connection.lines(rights) == before)
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    /// A view's first column was called otherwise, a function gave another type back, and others may read both.
    @Test func `views and functions whose shape changed are made again`() async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Self.migrate(connection)
            try await connection.script(
                """
                alter view report.churn rename column date to day_of_old;
                drop view report.tenure;
                update subledger.schema_files set checksum = 'older' where path = 'reports/marts/churn/view.sql'
                """)
            #expect(try await Self.migrate(connection).contains("reports/marts/churn/view.sql"))
            try await connection.script("select date from report.churn; select * from report.tenure")
        }
    }
}
