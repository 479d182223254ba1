// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import StoreSimulator
import TestSupport
import Testing

/// What nights leave in PostgreSQL's own catalogue: nothing, or it would grow for ever.
@Suite(.hangLimit) struct CatalogueTests {
    private static let apps: [SimulatorConfiguration.App] = [.server(id: "acme-ios", bundleID: "com.acme.app")]
    /// Statistics of lasting tables come when they are first analysed: those of others are counted.
    private static let rows = """
        select 'classes' as catalogue, count(*) as rows from pg_catalog.pg_class
        union all select 'attributes', count(*) from pg_catalog.pg_attribute
        union all select 'defaults', count(*) from pg_catalog.pg_attrdef
        union all select 'types', count(*) from pg_catalog.pg_type
        union all select 'rules', count(*) from pg_catalog.pg_rewrite
        union all select 'indexes', count(*) from pg_catalog.pg_index
        union all select 'constraints', count(*) from pg_catalog.pg_constraint
        union all select 'functions', count(*) from pg_catalog.pg_proc
        union all select 'dependencies', count(*) from pg_catalog.pg_depend
        union all select 'comments', count(*) from pg_catalog.pg_description
        union all select 'statistics of no lasting table', count(*) from pg_catalog.pg_statistic statistic
        where not exists (
            select from pg_catalog.pg_class relation
            where relation.oid = statistic.starelid and relation.relpersistence <> 't'
        )
        order by 1
        """

    /// A night makes hundreds of tables and views for its session, and an export and a citation make more.
    @Test func `a night, an export and a citation leave no row in the catalogue`() async throws {
        try await NightWorld.with(seed: 64, customersPerApp: 8, apps: Self.apps) { world in
            try await world.night(1)
            let before = try await Self.settledRows(world)
            try await world.night(2)
            let (then, now) = (NightWorld.instant(of: 1).iso8601, NightWorld.instant(of: 2).iso8601)
            for job in [["report", "--as-of", then], ["cite", "mrr"]] {
                let result = try await CommandLineRun(
                    product: "subledger", arguments: job + ["--now", now, "--config", world.configuration]
                ).run()
                #expect(result.exitCode == 0, "\(job): \(result.standardError)")
            }
            #expect(try await Self.settledRows(world) == before)
        }
    }

    /// Once the program's sessions have ended, which drops what they made.
    private static func settledRows(_ world: NightWorld) async throws -> [String] {
        let others = """
            select pid from pg_catalog.pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
            """
        while try await world.connection.lines(others) != [] { try await Task.sleep(for: .milliseconds(10)) }
        return try await world.connection.lines(rows)
    }
}
