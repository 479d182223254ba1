// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport
import Testing

/// Another role of the same database makes what bears the names that the program uses, and sets what a database can set.
@Suite(.serialized, .hangLimit) struct HostileRoleTests {
    @Test func `what another role makes, locks or sets changes nothing that a night reads`() async throws {
        let cluster = TestCluster()
        let undisturbed = try await ServerLife.play(on: cluster, asOwner: true)
        let stranger = Stranger()
        let disturbed = try await ServerLife.play(
            on: cluster, settings: ServerLife.unkindSettings, asOwner: false,
            first: { try await stranger.interfere(with: $0, on: cluster) }, last: { try await stranger.leave($0) })
        #expect(undisturbed.parts["subledger.ledger_entries", default: []].count > 40)
        #expect(disturbed.differences(from: undisturbed) == [])
    }
}

/// A role that may create in `public` and in a schema of its own, and whose session stays open meanwhile.
private actor Stranger {
    private var session: PostgresConnection?

    func interfere(with life: ServerLife, on cluster: TestCluster) async throws {
        let database = try await life.administrator.lines("select current_database() as it")[0]
        try await life.administrator.script(
            """
            create role stranger login;
            grant connect, temporary on database \(database) to stranger;
            grant all on schema public to stranger;
            create schema stranger authorization stranger;
            grant usage on schema stranger to public
            """)
        for setting in ServerLife.unkindSettings where !setting.hasPrefix("search_path") {
            try await life.administrator.script("alter database \(database) set \(setting)")
        }
        try await life.administrator.script(
            """
            alter database \(database) set search_path = stranger, public, pg_temp, pg_catalog, subledger, marts, report;
            alter database \(database) set row_security = on
            """)
        let session = try await PostgresConnection.connect(
            try await cluster.configuration().with(database: database).with(user: "stranger"))
        self.session = session
        for home in ["public", "stranger"] { try await session.script(Self.objects(in: home)) }
        try await session.script(Self.ofTheSession)
    }

    func leave(_ life: ServerLife) async throws {
        await session?.close()
        try await life.administrator.script("drop owned by stranger cascade; drop role stranger")
    }

    /// Tables and views with our names, functions and operators that fit better than built-in ones, an implicit cast.
    private static func objects(in home: String) -> String {
        """
        create table \(home).runs (x integer);
        create table \(home).subscriptions (x integer);
        create table \(home).transactions (x integer);
        create table \(home).stage_transactions (x integer);
        create view \(home).entitlements as select 1 as x;
        create view \(home).materialisation as select 1 as x;
        create function \(home).subscription_key(text, text) returns bigint language sql as $$ select 4711::bigint $$;
        create function \(home).unnest(words text[]) returns setof text language sql as $$ select 'theirs' $$;
        create function \(home).unnest(numbers bigint[]) returns setof bigint language sql as $$ select 4711::bigint $$;
        create function \(home).md5(text) returns text language sql as $$ select 'theirs' $$;
        create function \(home).now() returns timestamptz language sql as $$ select timestamptz '2001-01-01' $$;
        create function \(home).is_never(bigint, bigint) returns boolean language sql as $$ select false $$;
        create operator \(home).= (leftarg = bigint, rightarg = bigint, function = \(home).is_never);
        create function \(home).is_never(text, text) returns boolean language sql as $$ select false $$;
        create operator \(home).= (leftarg = text, rightarg = text, function = \(home).is_never);
        create type \(home).amount as (micros bigint);
        create function \(home).micros(\(home).amount) returns bigint language sql as $$ select 4711::bigint $$;
        create cast (\(home).amount as bigint) with function \(home).micros(\(home).amount) as implicit
        """
    }

    /// Temporary tables with our names, and locks that any role may take.
    private static let ofTheSession = """
        create temporary table runs (x integer);
        create temporary table subscriptions (x integer);
        create temporary table stage_transactions (x integer);
        select pg_advisory_lock(number) from generate_series(0, 1000) number;
        select pg_advisory_lock(hashtext(name)) from unnest(array['subledger', 'nightly', 'migrate', 'report']) name
        """
}
