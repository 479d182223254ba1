// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport
import Testing

/// `sql/load/transaction.columns` names what the tables of transactions hold: a column that a migration adds and the list
/// forgets would never be filled.
@Suite struct ColumnListTests {
    private static func columns(of table: String, _ world: LoadWorld) async throws -> Set<String> {
        let names = try await world.connection.lines(
            """
            select attname from pg_attribute
            where attrelid = 'subledger.\(table)'::regclass and attnum > 0 and not attisdropped
            """)
        return Set(names)
    }

    /// Those that the rows of a chunk are copied into.
    private static func copied() throws -> Set<String> {
        let list = try #require(SQL.Load.copyTransactions.text.firstMatch(of: /\(([^)]+)\)/)?.1)
        let names = list.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        #expect(Set(names).count == names.count)
        return Set(names)
    }

    @Test func `every column of a transaction is copied, compared and stored`() async throws {
        try await LoadWorld.with { world in
            let reported = try Self.copied().subtracting([
                "run_id", "chunk_no", "answer_hash", "is_seen_indirectly", "states_upgrade",
            ])
            let stored = try await Self.columns(of: "transactions", world)
            #expect(stored.subtracting(["proceeds_source", "recorded_run_id", "changed_run_id"]) == reported)
            for table in ["stage_changes", "transaction_versions"] {
                #expect(reported.subtracting(try await Self.columns(of: table, world)).isEmpty, "\(table)")
            }
        }
    }

    @Test func `every mention of the list is written out`() {
        #expect(SQL.Load.upsertTransactions.text.contains("price_micros = excluded.price_micros, currency = "))
        #expect(!SQL.Load.upsertTransactions.text.contains("product_id = excluded.product_id"))
        #expect(
            SQL.Load.findChanges.text.contains(
                "stored.price_micros, stored.currency, stored.price_source, stored.tax_micros"))
        for statement in SQL.Load.all {
            #expect(statement.text.firstMatch(of: /\{[\w.]+( not \w+)?( = \w+)?\}/) == nil, "\(statement.name)")
        }
    }
}
