// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// A DBA replicates the whole database logically.
///
/// PostgreSQL then refuses to update or delete rows of a table by which a subscriber could not find them again.
@Suite(.serialized, .hangLimit) struct PublishedNightTests {
    private static let apps: [SimulatorConfiguration.App] = [
        .server(id: "acme-ios", bundleID: "com.acme.app"),
        .play(id: "acme-android", packageName: "com.acme.app", api: .v2, grant: .serviceAccount),
    ]
    /// What a publication carries, and nothing in it names a row: no primary key and no replica identity.
    private static let rowsWithoutName = """
        select relation.oid::regclass::text as name
        from pg_catalog.pg_class relation
        where relation.relnamespace in ('subledger'::regnamespace, 'marts'::regnamespace, 'report'::regnamespace)
            and relation.relkind in ('r', 'p') and relation.relpersistence = 'p' and relation.relreplident <> 'f'
            and not exists (
                select from pg_catalog.pg_index key where key.indrelid = relation.oid and key.indisprimary
            )
        order by 1
        """

    /// A server that writes what subscribers need to its log.
    private static func publishingCluster() async throws -> TestCluster {
        let cluster = TestCluster()
        let administrator = try await PostgresConnection.connect(try await cluster.configuration())
        try await administrator.script("alter system set wal_level = logical")
        await administrator.close()
        try await cluster.stop(.fast)
        return cluster
    }

    @Test func `a publication for all tables carries nights, a rebuild and a report, each of which ends with 0`()
        async throws
    {
        let cluster = try await Self.publishingCluster()
        try await NightWorld.onOwnServer(
            cluster, seed: 54, customersPerApp: 30, apps: Self.apps
        ) { world, administrator in
            #expect(try await administrator.lines("select current_setting('wal_level') as it") == ["logical"])
            #expect(try await world.subledger("migrate").exitCode == 0)
            #expect(try await administrator.lines(Self.rowsWithoutName) == [])
            try await administrator.script("create publication everything for all tables")
            try await administrator.script("select pg_create_logical_replication_slot('subscriber', 'pgoutput')")
            for number in 1...3 { try await world.night(number) }
            // Every table is filled again, and the next night is compared with an issue.
            try await administrator.script("truncate marts.materialisation")
            try await world.night(4)
            let now = NightWorld.instant(of: 4).iso8601
            let rebuilt = try await world.subledger("report", "--rebuild", "--now", now)
            #expect(rebuilt.exitCode == 0, "\(rebuilt.standardError)")
            let carried = try await administrator.lines(
                """
                select count(*) > 0 as it from pg_logical_slot_get_binary_changes(
                    'subscriber', null, null, 'proto_version', '1', 'publication_names', 'everything')
                """)
            #expect(carried == ["true"])
            try await Self.expectRowsReplaced(administrator)
            try await administrator.script("select pg_drop_replication_slot('subscriber')")
        }
    }

    /// The nights have updated rows and deleted some, of tables with a key and of those without one: else nothing was tried.
    private static func expectRowsReplaced(_ administrator: PostgresConnection) async throws {
        try await administrator.script("select pg_stat_force_next_flush()")
        let replaced = try await administrator.lines(
            """
            select relname from pg_catalog.pg_stat_user_tables
            where schemaname = 'marts' and n_tup_del > 0
                and relname in ('paid_periods', 'status_intervals', 'monthly_outcomes', 'mrr_daily', 'figure_parts')
            order by 1
            """)
        #expect(replaced.contains("paid_periods") && replaced.contains("status_intervals"), "\(replaced)")
        #expect(replaced.contains("monthly_outcomes") && replaced.contains("figure_parts"), "\(replaced)")
    }
}
