// SPDX-License-Identifier: Apache-2.0

package import Postgres

extension PostgresConnection {
    /// The tables of the program's schemas, with their schemas.
    package func ownTables() async throws -> [String] {
        try await lines(
            """
            select format('%I.%I', home.nspname, held.relname) from pg_class held
            join pg_namespace home on home.oid = held.relnamespace
            where home.nspname in ('subledger', 'marts', 'report') and held.relkind in ('r', 'p') order by 1
            """)
    }

    /// Those of them to which the server refuses to add a column with a default.
    ///
    /// Nothing is changed.
    package func tablesThatRefuseAColumn() async throws -> [String] {
        var refusing: [String] = []
        for table in try await ownTables() {
            do {
                try await script("begin; alter table \(table) add column x bigint not null default 0; rollback")
            } catch is PostgresError {
                refusing.append(table)
                try await script("rollback")
            }
        }
        return refusing
    }
}
