// SPDX-License-Identifier: Apache-2.0

import Foundation
import Model
import Postgres
import SQLCatalog
import StoreSimulator
import TestSupport
import Testing

/// A backend's login beside the built program: what it hands in is pending, without verdict or id of its own, and it reads back all that is
/// said of it, and nothing more.
@Suite(.serialized, .hangLimit) struct BackendRoleTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]

    private static func with(
        _ body: (_ world: NightWorld, _ shop: PostgresConnection, _ administrator: PostgresConnection) async throws ->
            Void
    ) async throws {
        let cluster = TestCluster()
        try await NightWorld.onOwnServer(
            cluster, seed: 54, customersPerApp: 8, apps: apps
        ) { world, administrator in
            let migrated = try await world.subledger("migrate")
            #expect(migrated.exitCode == 0, "\(migrated.standardError)")
            try await administrator.executeScript(SQL.Roles.roles)
            try await administrator.script("create role shop login; grant subledger_backend to shop")
            let shop = try await PostgresConnection.connect(
                try await cluster.configuration().with(database: "billing").with(user: "shop"))
            try await body(world, shop, administrator)
            await shop.close()
            // A role that has rights in a database is dropped after it.
            try await administrator.script("drop owned by shop; drop role shop")
        }
    }

    @Test func `what a backend hands in is judged by the next intake, and read back without what it handed in`()
        async throws
    {
        try await Self.with { world, shop, _ in
            let now = NightWorld.instant(of: 1)
            world.stores.setClock(now.micros)
            let bought = try #require(world.stores.registrations(since: 0, until: now.micros).first)
            // Apps are known from the first job on.
            #expect(try await world.subledger("intake", "--now", now.iso8601).exitCode == 0)
            try await shop.script(
                """
                insert into subledger.purchase_inbox (app_id, account_id, kind, payload)
                values ('acme-ios', 'customer-17', 'original_transaction_id', '\(bought.storeKey)');
                insert into subledger.notification_inbox (app_id, source, payload)
                values ('acme-ios', 'app_store_v2', '{"signedPayload": "no signature"}')
                """)
            let purchase = "select purchase_id, state, genuine, ours, reason, last_run_id from subledger.purchase_inbox"
            let notification = "select notification_id, state, reason, handled_run_id from subledger.notification_inbox"
            #expect(try await shop.lines(purchase) == ["1|pending||||"])
            #expect(try await shop.lines(notification) == ["1|pending||"])
            let later = (now + .minutes(1)).iso8601
            #expect(try await world.subledger("intake", "--now", later).exitCode == 0)
            #expect(try await world.subledger("notifications", "--now", later).exitCode == 0)
            let assessed =
                "select state, genuine, ours, is_new, checked_at = '\(later)' as at from subledger.purchase_inbox"
            #expect(try await shop.lines(assessed) == ["accepted|true|true|true|true"])
            #expect(try await shop.lines("select state from subledger.notification_inbox") == ["refused"])
            let access = "select account_id, reason <> 'unverified' as is_read from subledger.entitlements"
            #expect(try await shop.lines(access) == ["customer-17|true"])
        }
    }

    private static let columns = [
        "purchase_inbox": [
            "insert": ["account_id", "app_id", "kind", "payload", "product_id", "signature"],
            "hidden": ["payload", "signature"],
        ],
        "notification_inbox": ["insert": ["app_id", "payload", "source"], "hidden": ["payload"]],
    ]

    @Test func `a backend may do that and nothing more, in any table, view, sequence or function`() async throws {
        try await Self.with { _, shop, administrator in
            for (inbox, rights) in Self.columns {
                let all = try await administrator.lines(
                    """
                    select attname from pg_attribute
                    where attrelid = 'subledger.\(inbox)'::regclass and attnum > 0 and not attisdropped order by 1
                    """)
                let insertable = try await shop.lines(Self.granted("insert", on: inbox))
                #expect(insertable == rights["insert"], "\(inbox)")
                let hidden = all.filter { rights["hidden"]?.contains($0) == true }
                #expect(hidden == rights["hidden"], "\(inbox)")
                #expect(try await shop.lines(Self.granted("select", on: inbox)) == all.filter { !hidden.contains($0) })
            }
            // Of whole relations and of single columns, in every schema of ours; then of schemas and the database.
            #expect(try await shop.lines(Self.relations) == ["subledger.entitlements|select"])
            #expect(
                try await shop.lines(Self.relationsByColumn)
                    == ["subledger.entitlements", "subledger.notification_inbox", "subledger.purchase_inbox"])
            let places = try await shop.lines(Self.places)
            #expect(places == ["subledger|true|false", "report|false|false", "marts|false|false"])
            #expect(
                try await shop.lines(Self.functions)
                    == [
                        "access_at", "has_access", "has_night_ended", "offer_eligibility", "register",
                        "state_before_unreachable",
                    ])
            for forbidden in Self.forbidden {
                let refusal = await #expect(throws: PostgresError.self, "\(forbidden)") {
                    try await shop.script(forbidden)
                }
                #expect(refusal?.sqlState == "42501", "\(forbidden)")
            }
        }
    }

    private static let forbidden = [
        """
        insert into subledger.purchase_inbox (app_id, kind, payload, state)
        values ('acme-ios', 'play_token', 'x', 'accepted')
        """,
        """
        insert into subledger.purchase_inbox (app_id, kind, payload, genuine)
        values ('acme-ios', 'play_token', 'x', true)
        """,
        """
        insert into subledger.purchase_inbox (purchase_id, app_id, kind, payload) overriding system value
        values (7, 'acme-ios', 'play_token', 'x')
        """,
        """
        insert into subledger.notification_inbox (app_id, source, payload, state)
        values ('acme-ios', 'play_rtdn', 'x', 'applied')
        """,
        "select payload from subledger.purchase_inbox", "select signature from subledger.purchase_inbox",
        "select payload from subledger.notification_inbox", "select * from subledger.purchase_inbox",
        "update subledger.purchase_inbox set state = 'accepted'", "delete from subledger.notification_inbox",
        "truncate subledger.purchase_inbox", "create table subledger.own (x integer)",
        "create function subledger.own() returns integer language sql as 'select 1'",
    ]

    /// Columns that this role may so use.
    private static func granted(_ right: String, on inbox: String) -> String {
        """
        select attname from pg_attribute
        where attrelid = 'subledger.\(inbox)'::regclass and attnum > 0 and not attisdropped
            and has_column_privilege(attrelid, attnum, '\(right)')
        order by 1
        """
    }

    private static let relations = """
        select home.nspname || '.' || relation.relname as name, word
        from pg_class relation
        join pg_namespace home on home.oid = relation.relnamespace
        cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) word
        where home.nspname in ('subledger', 'marts', 'report') and relation.relkind in ('r', 'p', 'v', 'm', 'f')
            and has_table_privilege(relation.oid, word)
        union all
        select relation.relname, word
        from pg_class relation
        join pg_namespace home on home.oid = relation.relnamespace
        cross join unnest(array['select', 'usage', 'update']) word
        where home.nspname in ('subledger', 'marts', 'report') and relation.relkind = 'S' and has_sequence_privilege(relation.oid, word)
        order by 1
        """
    private static let relationsByColumn = """
        select distinct home.nspname || '.' || relation.relname as name
        from pg_class relation
        join pg_namespace home on home.oid = relation.relnamespace
        where home.nspname in ('subledger', 'marts', 'report') and relation.relkind in ('r', 'p', 'v', 'm', 'f')
            and has_any_column_privilege(relation.oid, 'select, insert, update, references')
        order by 1
        """
    private static let places = """
        select nspname, has_schema_privilege(oid, 'usage') as u, has_schema_privilege(oid, 'create') as c
        from pg_namespace where nspname in ('subledger', 'marts', 'report') order by nspname desc
        """
    /// Those that do more than their caller might: they register, or say who has access.
    ///
    /// All others read and write with its own rights.
    private static let functions = """
        select distinct routine.proname as name
        from pg_proc routine
        join pg_namespace home on home.oid = routine.pronamespace
        where home.nspname in ('subledger', 'marts', 'report') and routine.prosecdef and has_function_privilege(routine.oid, 'execute')
        order by 1
        """
}
