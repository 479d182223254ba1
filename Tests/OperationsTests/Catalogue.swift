// SPDX-License-Identifier: Apache-2.0

import Postgres
import TestSupport

/// What a database holds, but its rows: two of them that say the same are the same to whoever uses them.
struct Catalogue {
    /// A line for each thing there is, with all that is said of it.
    let lines: Set<String>

    init(of connection: PostgresConnection) async throws {
        var lines: [String] = []
        for query in [Self.columns, Self.constraints, Self.indexes, Self.routines, Self.views, Self.rights] {
            lines += try await connection.lines(query)
        }
        self.lines = Set(lines)
    }

    /// What one has and the other has not.
    func differences(from other: Catalogue) -> [String] {
        lines.subtracting(other.lines).map { "only here: \($0)" }.sorted()
            + other.lines.subtracting(lines).map { "missing: \($0)" }.sorted()
    }

    private static let home = "in (select oid from pg_namespace where nspname in ('subledger', 'marts', 'report'))"
    private static let columns = """
        select 'column' as kind, held.oid::regclass::text as owner, part.attname, format_type(part.atttypid, part.atttypmod) as type,
            part.attnotnull, part.attidentity, pg_get_expr(preset.adbin, preset.adrelid) as preset, part.attstorage,
            col_description(held.oid, part.attnum) as comment, obj_description(held.oid, 'pg_class') as of_table,
            held.relpersistence, held.reloptions::text as options
        from pg_class held
        join pg_attribute part on part.attrelid = held.oid and part.attnum > 0 and not part.attisdropped
        left join pg_attrdef preset on preset.adrelid = held.oid and preset.adnum = part.attnum
        where held.relnamespace \(home) and held.relkind in ('r', 'v')
        """
    private static let constraints = """
        select 'constraint' as kind, conrelid::regclass::text as owner, conname, pg_get_constraintdef(oid) as text, convalidated
        from pg_constraint where connamespace \(home) and conrelid <> 0
        """
    private static let indexes = """
        select 'index' as kind, pg_get_indexdef(indexrelid) as text from pg_index
        where indrelid in (select oid from pg_class where relnamespace \(home))
        union all
        select 'trigger', pg_get_triggerdef(oid) from pg_trigger
        where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace \(home))
        """
    private static let routines = """
        select 'routine' as kind, oid::regprocedure::text as name, md5(prosrc || coalesce(prosqlbody::text, '')) as text, prosecdef,
            provolatile, proconfig::text as settings, proacl::text as rights, obj_description(oid, 'pg_proc') as comment
        from pg_proc where pronamespace \(home) and prosqlbody is null
        """
    private static let views = """
        select 'view' as kind, oid::regclass::text as name, pg_get_viewdef(oid) as text from pg_class
        where relnamespace \(home) and relkind = 'v'
        """
    private static let rights = """
        select 'rights' as kind, oid::regclass::text as name, relacl::text as rights from pg_class
        where relnamespace \(home) and relkind in ('r', 'v', 'S')
        union all
        select 'rights', attrelid::regclass || '.' || attname, attacl::text from pg_attribute
        where attacl is not null and attrelid in (select oid from pg_class where relnamespace \(home))
        """
}
