// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import Runs
import TestSupport
import Testing

/// A migrator changes only what a migrator made.
@Suite struct OwnersObjectsTests {
    private static func migrate(_ connection: PostgresConnection) async throws -> [String] {
        try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
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

    /// Everything in the schemas, whoever made it, with what it says.
    private static func contents(_ connection: PostgresConnection) async throws -> [String] {
        try await connection.lines(
            """
            select c.oid::text as oid, c.relname, c.relacl::text as rights, pg_get_viewdef(c.oid) as text from pg_class c
            where relnamespace in (select oid from pg_namespace where nspname in ('subledger', 'marts', 'report'))
                and relkind in ('r', 'v')
            union all
            select p.oid::text, p.proname, p.proacl::text, p.prosrc from pg_proc p
            where pronamespace in (select oid from pg_namespace where nspname in ('subledger', 'marts', 'report'))
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
        ("create schema marts; create table marts.paid_periods (amount bigint)", "table marts.paid_periods"),
        ("create schema report; create schema subledger; create view subledger.v as select 1", "view subledger.v"),
    ])
    func `a database whose schemas contain objects of others is refused the first time`(
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

    @Test func `what another role has in its own schema is named to a role that may not look into it`() async throws {
        try await withTestDatabase { connection, configuration in
            let (role, name) = ("etl_of_nothing", try #require(configuration.database))
            try await connection.script(
                """
                create role \(role) login;
                grant create on database \(name) to \(role);
                create schema report;
                create table report.revenue (amount bigint)
                """)
            let other = try await PostgresConnection.connect(configuration.with(user: role))
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(other) }
            #expect(refusal?.kind == .unsuitableDatabase)
            #expect(refusal?.message.contains("table report.revenue") == true, "\(refusal?.message ?? "none")")
            await other.close()
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    @Test func `schemas that were made empty for it are taken, by a role that may make none`() async throws {
        try await withTestDatabase { connection, configuration in
            let role = "etl_of_schemas"
            try await connection.script(
                """
                create role \(role) login;
                create schema subledger authorization \(role);
                create schema marts authorization \(role);
                create schema report authorization \(role)
                """)
            let other = try await PostgresConnection.connect(configuration.with(user: role))
            #expect(try await Self.migrate(other).isEmpty == false)
            await other.close()
            try await connection.script("drop owned by \(role); drop role \(role)")
        }
    }

    @Test(arguments: ["reports/marts/revenue/view.sql", "reports/functions/calendar.sql"])
    func `later, what others have in the schemas and build on ours is left alone`(file: String) async throws {
        try await Self.withUpgrade(of: file) { connection in
            try await connection.script(
                """
                create table report.budget (month date, amount bigint);
                create table marts.budget (month date, amount bigint);
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

    /// What others made under names that this version gives to its own, whatever its columns, parameters or results are.
    @Test(arguments: [
        "create view report.tenure as table report.tenure_of_ours", "create view report.tenure as select 1 as mine",
        "create table report.tenure (id bigint)", "create materialized view report.tenure as select 1 as mine",
        "create table marts.tenure (id bigint)", "create view marts.report_scope as select 1 as mine",
        "create function report.tenure(id bigint) returns text language sql return 'mine'",
        "create function report.share(part text, whole text) returns text language sql return part || whole",
        "create function marts.share(part text, whole text) returns text language sql return part || whole",
        "create procedure marts.whole_lineages(id bigint) language sql as 'select 1'",
    ])
    func `an object that conflicts with a new one is named, and nothing is changed`(making: String) async throws {
        try await Self.withUpgrade { connection in
            // This version's view is new to the database.
            try await connection.script(
                """
                alter view report.tenure rename to tenure_of_ours;
                delete from subledger.schema_objects where identity = 'view report.tenure';
                \(making)
                """)
            let before = try await Self.contents(connection)
            let name = try #require(making.firstMatch(of: /(?:report|marts)\.\w+/)).0
            let isTaken = !making.contains("function report.")
            guard isTaken else { return _ = try await Self.migrate(connection) }
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains(name) == true, "\(refusal?.message ?? "none")")
            #expect(try await Self.contents(connection) == before)
        }
    }

    /// PostgreSQL takes the function whose parameters fit best, wherever it is in the search path.
    @Test(arguments: [
        ("create function report.to_char(date, text) returns text language sql return 'mine'", "report.to_char"),
        ("create function marts.to_char(date, text) returns text language sql return 'mine'", "marts.to_char"),
        (
            "create operator report.+ (leftarg = date, rightarg = bigint, function = pg_catalog.date_pli)", "report.+"
        ),
    ])
    func `a function of others that would be called in a built-in one's place is refused by every job`(
        making: String, named: String
    ) async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Self.migrate(connection)
            let legal = making.replacing("bigint", with: "integer")
            try await connection.script(legal)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains(named) == true, "\(refusal?.message ?? "none")")
        }
    }

    /// A table of the reports is made again, and with it the views over it: whatever others have built on either.
    @Test(arguments: [
        ("create view public.my_churn as select date, churned from report.churn", "public.my_churn"),
        ("create materialized view public.my_churn as select date, churned from report.churn", "public.my_churn"),
        (
            "create function public.my_churn() returns bigint language sql return (select count(*) from report.churn)",
            "public.my_churn()"
        ),
        ("create table public.my_churn () inherits (marts.churn_daily)", "public.my_churn"),
        ("create index my_churn on marts.churn_daily (app_id)", "my_churn"),
        (
            """
            create function public.quiet() returns trigger language plpgsql as 'begin return new; end';
            create trigger my_churn before insert on marts.churn_daily for each row execute function public.quiet()
            """, "my_churn"
        ),
    ])
    func `what others have built on what has to be made again is named, and stays`(
        making: String, named: String
    ) async throws {
        try await Self.withUpgrade(of: "reports/marts/churn/table.sql") { connection in
            try await connection.script("create view public.innocent as select run_id from subledger.runs")
            try await connection.script(making)
            let before = try await Self.contents(connection)
            let refusal = await #expect(throws: PipelineError.self) { try await Self.migrate(connection) }
            #expect(refusal?.kind == .schemaDiffers)
            #expect(refusal?.message.contains(named) == true, "\(refusal?.message ?? "none")")
            #expect(refusal?.message.contains("innocent") == false)
            #expect(try await Self.contents(connection) == before)
            let kind =
                making.firstMatch(of: /create (materialized view|view|function|table|index|trigger) \w*\.?my/)?.1
                ?? "trigger"
            let target =
                making.contains("trigger my_churn")
                ? "trigger my_churn on marts.churn_daily" : "\(kind) \(kind == "index" ? "marts" : "public").my_churn"
            try await connection.script("drop \(target)")
            #expect(try await Self.migrate(connection).contains("reports/marts/churn/table.sql"))
        }
    }

    /// The owner rebuilds a table of his own while the change waits for a reader.
    @Test func `what others do to their own meanwhile is their own affair`() async throws {
        try await withTestDatabase { connection, configuration in
            _ = try await Self.migrate(connection)
            try await connection.script(
                """
                create table report.mine (id bigint);
                update subledger.schema_files set checksum = 'older' where path = 'reports/marts/revenue/view.sql'
                """)
            let reader = try await PostgresConnection.connect(configuration)
            try await reader.script("begin; select * from report.revenue")
            async let applied = Self.migrate(connection)
            try await Task.sleep(for: .milliseconds(400))
            let owner = try await PostgresConnection.connect(configuration)
            try await owner.script("drop table report.mine; create table report.mine (id bigint, more text)")
            try await reader.script("commit")
            #expect(try await applied.contains("reports/marts/revenue/view.sql"))
            try await owner.script("select more from report.mine")
            for connection in [reader, owner] { await connection.close() }
        }
    }

    /// Rights given by hand, to a role and to everybody, on a view, a column and a function.
    @Test(arguments: ["reports/marts/churn/table.sql", "reports/marts/churn/view.sql", "reports/functions/rules.sql"])
    func `who was granted something by hand has it after everything was made again`(file: String) async throws {
        try await Self.withUpgrade(of: file) { connection in
            let role = "by_hand_" + file.filter(\.isLetter)
            try await connection.script(
                """
                create role \(role);
                grant usage on schema report to \(role);
                grant select (day) on marts.churn_daily to \(role);
                grant select on report.churn to \(role) with grant option;
                grant select (date, net) on report.revenue to \(role);
                revoke execute on function marts.whole_lineages(bigint[]) from public;
                grant execute on function marts.whole_lineages(bigint[]) to \(role)
                """)
            let rights = """
                select relname, relacl::text as rights from pg_class where relnamespace = 'report'::regnamespace
                    and relname in ('churn', 'revenue')
                union all
                select attname, attacl::text from pg_attribute
                where attrelid in ('report.revenue'::regclass, 'marts.churn_daily'::regclass) and attacl is not null
                union all
                select proname, proacl::text from pg_proc where proname = 'whole_lineages' order by 1
                """
            let before = try await connection.lines(rights)
            #expect(before.filter { $0.contains(role) }.count == 5)
            if file.contains("functions") {
                // One gave something else back, so that all functions are made again, and the views over them.
                try await connection.script(
                    """
                    drop function report.states_on(date, bigint);
                    create function report.states_on(day date, seal bigint default null) returns text
                    language sql return 'older'
                    """)
            }
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
