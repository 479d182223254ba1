// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import Testing
import TestSupport

@testable import Issues
@testable import Marts
@testable import ReportSupport

/// What each table and view says at its head that it rests on, beside what the catalogue of PostgreSQL says: a name that is
/// missing would leave rows as they are when what they follow from has changed.
@Suite struct RestsOnTests {
    /// What every text rests on: the seal and the days, and the lineages at hand.
    private static let ofAll: Set<String> = ["report_scope", "marked_lineages"]

    @Test func `every list at a head is what PostgreSQL finds that the text uses`() async throws {
        try await ReportWorld.with { world in
            try await world.connection.withTransaction { connection in
                try await connection.script(Self.bodiesToBeFollowed)
                let found = try await Self.found(on: connection)
                #expect(found.count > 50)
                for (file, names) in found {
                    let listed = Set(ReportSource.names(of: file))
                    #expect(names.subtracting(listed).sorted() == [], "\(file.name) rests on these and does not say so")
                    #expect(listed.subtracting(names).sorted() == [], "\(file.name) says so and does not rest on these")
                }
            }
        }
    }

    @Test func `every name in a list has a text, but for tables of the books`() throws {
        let books = Set(
            SQL.Schema.all.flatMap { file in
                file.text.matches(of: /create (?:unlogged )?table (subledger\.\w+)/).map { String($0.1) }
            })
        let views = Set(SQL.Reports.views.map(SQL.Reports.report))
        for names in SQL.heads.values.compactMap({ $0["rests on"] }) {
            #expect(Set(names).count == names.count)
            for name in names {
                #expect(ReportSource.all[name] != nil || books.contains(name) || views.contains(name), "\(name)")
            }
        }
    }

    /// A key that a template writes out is the table's own.
    @Test func `the key at a table's head is its primary key`() async throws {
        try await ReportWorld.with { world in
            for table in MaterialisedTable.intermediates {
                let key = try await world.connection.lines(
                    """
                    select attribute.attname
                    from pg_index index
                    cross join lateral unnest(index.indkey) with ordinality part (number, place)
                    join pg_attribute attribute
                        on attribute.attrelid = index.indrelid and attribute.attnum = part.number
                    where index.indrelid = '\(table.name)'::regclass and index.indisprimary
                    order by part.place
                    """)
                #expect(SQL.heads[table.definition.name]?["key"] ?? [] == key, "\(table.name)")
            }
        }
    }

    /// Each file with a head, and the names that its text uses, functions followed.
    private static func found(on connection: PostgresConnection) async throws -> [(file: Statement, Set<String>)] {
        var found: [(file: Statement, Set<String>)] = []
        try await connection.executeScript(SQL.Reports.Refresh.useSession)
        for definition in MaterialisedTable.all.map(\.definition) + [MaterialisedTable.comparison] {
            try await connection.executeScript(definition.made(in: .session))
        }
        try await connection.executeScript(SQL.Reports.Refresh.begin)
        for file in SQL.Reports.Staging.all { found.append((file, try await names(of: [file], on: connection))) }
        for table in MaterialisedTable.intermediates {
            let names = try await names(of: table.steps + [table.rows], on: connection)
            found.append((table.definition, names.subtracting([table.name])))
        }
        try await connection.executeScript(SQL.Reports.Refresh.changedByBuild)
        for table in MaterialisedTable.marts {
            let names = try await names(of: [table.rows], on: connection)
            found.append((table.definition, names.subtracting([table.name])))
        }
        for view in SQL.Reports.views {
            try await connection.executeScript(view.made(in: .session))
            let report = SQL.Reports.report(of: view)
            found.append((view, try await names(usedBy: "pg_rewrite", report, on: connection).subtracting([report])))
        }
        return found
    }

    /// The statements of files, one after the other: what makes a table of the session is made a view and then runs, inserts and
    /// deletes are made the body of a function.
    private static func names(of files: [Statement], on connection: PostgresConnection) async throws -> Set<String> {
        var (names, made): (Set<String>, Set<String>) = ([], [])
        for statement in files.flatMap(Self.statements) {
            if let table = statement.wholeMatch(of: /(?s)create temp table (\w+) on commit drop as\n(.*)/) {
                made.insert(String(table.1.trimmingPrefix("new_")))
                let probe = "create temp view probe as \(table.2)"
                names.formUnion(try await Self.names(usedBy: "pg_rewrite", "probe", madeBy: probe, on: connection))
                try await connection.script("drop view pg_temp.probe; \(statement)")
            } else if statement.hasPrefix("insert into ") || statement.hasPrefix("delete from ") {
                let probe = "create function pg_temp.probe() returns void language sql begin atomic \(statement); end"
                names.formUnion(try await Self.names(usedBy: "pg_proc", "probe", madeBy: probe, on: connection))
                try await connection.script("drop function pg_temp.probe()")
            } else {
                try await connection.script(statement)
            }
        }
        return names.subtracting(made)
    }

    private static func statements(of file: Statement) -> [String] {
        "\(file.text)\n".replacing(/(?m)^ *--.*\n/, with: "").split(separator: /;\n/)
            .map { $0.trimmingPrefix(/\s+/) }.filter { !$0.isEmpty }.map(String.init)
    }

    private static func names(
        usedBy kind: String, _ name: String, madeBy definition: String, on connection: PostgresConnection
    ) async throws -> Set<String> {
        try await connection.script(definition)
        return try await names(usedBy: kind, name, on: connection)
    }

    private static func names(
        usedBy kind: String, _ name: String, on connection: PostgresConnection
    ) async throws -> Set<String> {
        let root =
            kind == "pg_proc"
            ? "'pg_temp.\(name)'::regproc"
            : "(select rule.oid from pg_rewrite rule where rule.ev_class = 'pg_temp.\(name)'::regclass)"
        let lines = try await connection.lines(Self.closure(kind, root))
        let prefixes = ["new_", "changed_"]
        return Set(
            lines.map { line in
                prefixes.first(where: line.hasPrefix).map { String(line.dropFirst($0.count)) } ?? line
            }
        ).subtracting(ofAll + [name])
    }

    /// What an object depends on, functions followed; the body of one in PL/pgSQL, which PostgreSQL does not read, by the names in it.
    private static func closure(_ kind: String, _ root: String) -> String {
        """
        with recursive edges as materialized (
            select classid, objid, refclassid, refobjid
            from pg_depend
            where deptype = 'n'
                and classid in ('pg_proc'::regclass, 'pg_rewrite'::regclass)
                and refclassid in ('pg_proc'::regclass, 'pg_class'::regclass)
            union
            select 'pg_proc'::regclass::oid, caller.oid, 'pg_proc'::regclass::oid, callee.oid
            from pg_proc caller
            join pg_language spoken on spoken.oid = caller.prolang and spoken.lanname = 'plpgsql'
            cross join lateral regexp_matches(caller.prosrc, '(marts|report|subledger)\\.(\\w+)', 'g') word
            join pg_namespace space on space.nspname = word[1]
            join pg_proc callee on callee.pronamespace = space.oid and callee.proname = word[2]
        ),

        reached as (
            select refclassid as classid, refobjid as objid
            from edges
            where classid = '\(kind)'::regclass and objid = \(root)
            union
            select edges.refclassid, edges.refobjid
            from reached
            join edges on edges.classid = reached.classid and edges.objid = reached.objid
            where reached.classid = 'pg_proc'::regclass
        )

        select case when space.nspname like 'pg\\_temp%' then '' else space.nspname || '.' end || used.name
        from (
            select relation.relnamespace as space, relation.relname as name
            from reached
            join pg_class relation on reached.classid = 'pg_class'::regclass and relation.oid = reached.objid
            union
            select routine.pronamespace, routine.proname
            from reached
            join pg_proc routine on reached.classid = 'pg_proc'::regclass and routine.oid = reached.objid
        ) used
        join pg_namespace space on space.oid = used.space
        """
    }

    /// PostgreSQL knows what a function in SQL uses where its body is no quoted text.
    private static let bodiesToBeFollowed = """
        do $do$
        declare
            quoted record;
        begin
            for quoted in
                select pg_get_functiondef(routine.oid) as definition, routine.prosrc as body
                from pg_proc routine
                join pg_language spoken on spoken.oid = routine.prolang and spoken.lanname = 'sql'
                where routine.prosqlbody is null
                    and routine.prokind = 'f'
                    and routine.pronamespace in ('marts'::regnamespace, 'report'::regnamespace, 'subledger'::regnamespace)
            loop
                execute replace(
                    quoted.definition, 'AS $function$' || quoted.body || '$function$',
                    'begin atomic ' || quoted.body || E'\\n; end');
            end loop;
        end
        $do$
        """
}
