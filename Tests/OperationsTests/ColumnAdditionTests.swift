// SPDX-License-Identifier: Apache-2.0

import Operations
import Postgres
import TestSupport
import Testing

/// Every table of ours can be given a column with a default, on any minor version: `scripts/test --servers` tries it on others.
@Suite struct ColumnAdditionTests {
    @Test func `every table of a migrated database takes another column`() async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
            let tables = try await connection.ownTables()
            #expect(tables.contains("subledger.subscriptions") && tables.contains("marts.paid_periods"))
            #expect(try await connection.tablesThatRefuseAColumn() == [])
        }
    }

    /// The very function that stood in the way.
    @Test func `a function that takes a table's row is found`() async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
            try await connection.script("create table report.holder (one subledger.subscriptions)")
            #expect(try await connection.tablesThatRefuseAColumn() == ["subledger.subscriptions"])
        }
    }
}
