// SPDX-License-Identifier: Apache-2.0

import Model
import Operations
import Postgres
import TestSupport
import Testing

/// What holds for every table of a migrated database.
@Suite struct SchemaRulesTests {
    private static func inMigratedDatabase(_ body: (PostgresConnection) async throws -> Void) async throws {
        try await withTestDatabase { connection, _ in
            _ = try await Migrator(connection: connection, logger: RecordedLog().logger).migrate()
            try await body(connection)
        }
    }

    /// Else rows of it could not be updated or deleted in a database that publishes all its tables.
    @Test func `every logged table has a primary key, or in marts a full replica identity`() async throws {
        try await Self.inMigratedDatabase { connection in
            let keyless = try await connection.lines(
                """
                select held.relnamespace::regnamespace as home, held.relname, held.relreplident from pg_class held
                where held.relnamespace in (select oid from pg_namespace where nspname in ('subledger', 'marts', 'report'))
                    and held.relkind in ('r', 'p') and held.relpersistence = 'p'
                    and not exists (select from pg_constraint c where c.conrelid = held.oid and c.contype = 'p')
                order by held.relname
                """)
            #expect(keyless == ["marts|monthly_outcomes|f", "marts|status_intervals|f"])
        }
    }

    @Test func `every table and column of subledger has a comment`() async throws {
        try await Self.inMigratedDatabase { connection in
            let silent = try await connection.lines(
                """
                select held.relname, part.attname from pg_class held
                join pg_attribute part on part.attrelid = held.oid and part.attnum > 0 and not part.attisdropped
                where held.relnamespace = 'subledger'::regnamespace and held.relkind in ('r', 'v')
                    and (col_description(held.oid, part.attnum) is null or obj_description(held.oid, 'pg_class') is null)
                """)
            #expect(silent.isEmpty, "\(silent)")
        }
    }

    /// A name that PostgreSQL makes up says nothing where it is read, in an error.
    @Test func `every check has a name that says what is wrong`() async throws {
        try await Self.inMigratedDatabase { connection in
            let unnamed = try await connection.lines(
                """
                select conrelid::regclass, conname from pg_constraint
                where connamespace = 'subledger'::regnamespace and contype = 'c' and conname ~ '_check[0-9]*$'
                """)
            #expect(unnamed.isEmpty, "\(unnamed)")
        }
    }

    /// What a check allows, by table and constraint, beside the words that the program reads and writes.
    private struct Vocabulary {
        let constraint: String
        let table: String
        let words: [String]

        init<Word: CaseIterable & RawRepresentable>(
            _ constraint: String, of table: String, _ words: Word.Type, and contracted: [String] = []
        ) where Word.RawValue == String {
            self.constraint = constraint
            self.table = table
            self.words = Word.allCases.map(\.rawValue) + contracted
        }
    }

    private static func vocabularies() -> [Vocabulary] {
        var all: [Vocabulary] = [Vocabulary("known_stores", of: "apps", StoreKind.self)]
        for table in ["subscriptions", "state_changes"] {
            all.append(Vocabulary("known_states", of: table, SubscriptionState.self))
            all.append(Vocabulary("known_end_reasons", of: table, EndReason.self))
        }
        all.append(Vocabulary("known_check_reasons", of: "subscriptions", NextCheck.Reason.self))
        all.append(Vocabulary("known_environments", of: "subscriptions", PurchaseEnvironment.self))
        // Their images are copies of rows that were checked.
        let table = "transactions"
        all.append(Vocabulary("known_environments", of: table, PurchaseEnvironment.self))
        all.append(Vocabulary("known_kinds", of: table, TransactionKind.self))
        // The last two are the contract's; nothing writes them yet.
        all.append(Vocabulary("known_offer_types", of: table, OfferType.self, and: ["retention", "other"]))
        all.append(Vocabulary("known_ownerships", of: table, Ownership.self))
        all.append(Vocabulary("known_price_sources", of: table, PriceSource.self))
        all.append(Vocabulary("known_refund_kinds", of: table, RefundKind.self))
        all.append(Vocabulary("known_refund_sources", of: table, RefundSource.self))
        all.append(Vocabulary("known_refund_reasons", of: table, RefundReason.self))
        return all
    }

    @Test func `a check knows the words that the program reads and writes, and no other`() async throws {
        try await Self.inMigratedDatabase { connection in
            for vocabulary in Self.vocabularies() {
                let definition = try await connection.lines(
                    """
                    select pg_get_constraintdef(oid) from pg_constraint
                    where conname = '\(vocabulary.constraint)' and conrelid = 'subledger.\(vocabulary.table)'::regclass
                    """)
                let allowed = try #require(definition.first).matches(of: /'([^']*)'/).map { String($0.1) }
                #expect(Set(allowed) == Set(vocabulary.words), "\(vocabulary.table).\(vocabulary.constraint)")
            }
        }
    }
}
