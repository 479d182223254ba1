// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing
import TestSupport

/// What the backend calls: keys any client can compute, and "ask at once" when it calls again.
@Suite struct RegisterTests {
    @Test func keysAreThoseOfTheContract() async throws {
        try await withLedgerDatabase { connection, _ in
            let keys = try await connection.lines(
                "select subledger.subscription_key('acme-ios', '1000000481802759'), "
                    + "subledger.subscription_key('acme-android', 'opaque-token-例')")
            #expect(keys == ["7928393119289343153|3878063171969060724"])
        }
    }

    @Test("B1: registering asks nobody; twice is one row, due at once")
    func registeringTwiceIsOneRowAndMakesItDueAtOnce() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script("select subledger.register('acme-ios', '1', 'alice', 'monthly')")
            try await connection.script("update subledger.subscriptions set next_check_at = null")
            try await connection.script("select subledger.register('acme-ios', '1', country => 'jp')")
            #expect(
                try await connection.lines(
                    "select account_id, product_id, country, next_check_at, state from subledger.subscriptions")
                    == ["alice|monthly|JP|-infinity|unverified"])
        }
    }

    @Test func anUnknownAppAndAMissingIdAreRefusedInWords() async throws {
        try await withLedgerDatabase { connection, _ in
            for call in ["register('nobody', '1')", "register('acme-ios', '')", "register('acme-ios', null)"] {
                await #expect(throws: PostgresError.self) { try await connection.script("select subledger.\(call)") }
            }
        }
    }

    @Test func everyTableAndColumnSaysWhatItIs() async throws {
        try await withLedgerDatabase { connection, _ in
            let silent = try await connection.lines(
                """
                select c.relname, a.attname
                from pg_class c
                join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'subledger'
                join pg_attribute a on a.attrelid = c.oid and a.attnum >= 0 and not a.attisdropped
                where c.relkind in ('r', 'v') and c.relname not like 'stage%'
                    and col_description(c.oid, a.attnum) is null
                union all
                select c.relname, '' from pg_class c
                join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'subledger'
                where c.relkind in ('r', 'v') and obj_description(c.oid) is null
                order by 1, 2
                """)
            #expect(silent == [])
        }
    }
}
