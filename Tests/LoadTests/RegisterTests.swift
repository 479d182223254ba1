// SPDX-License-Identifier: Apache-2.0

import Postgres
import Testing
import TestSupport

/// What the backend calls: keys any client can compute, and "ask at once" when it calls again.
@Suite struct RegisterTests {
    @Test func `keys are those of the contract`() async throws {
        try await withLedgerDatabase { connection, _ in
            let keys = try await connection.lines(
                "select subledger.subscription_key('acme-ios', '1000000481802759'), "
                    + "subledger.subscription_key('acme-android', 'opaque-token-例')")
            #expect(keys == ["7928393119289343153|3878063171969060724"])
        }
    }

    @Test func `B1: registering sends no request; twice is one row, due at once`() async throws {
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

    @Test func `an unknown app and a missing id are refused in words`() async throws {
        try await withLedgerDatabase { connection, _ in
            for call in ["register('nobody', '1')", "register('acme-ios', '')", "register('acme-ios', null)"] {
                await #expect(throws: PostgresError.self) { try await connection.script("select subledger.\(call)") }
            }
        }
    }

    @Test
    func `a second account is refused, changing nothing, unless the move is on purpose`() async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.script(
                """
                select subledger.register('acme-receipts', '1', 'alice', receipt => 'b2xk');
                update subledger.subscriptions set next_check_at = null
                """)
            let refusal = await #expect(throws: PostgresError.self) {
                try await connection.script(
                    "select subledger.register('acme-receipts', '1', 'bob', country => 'de', receipt => 'bmV3')")
            }
            #expect(refusal?.message == "this purchase belongs to another account")
            let row =
                "select account_id, country, next_check_at, receipt from subledger.subscriptions "
                + "join subledger.receipts using (receipt_id)"
            #expect(try await connection.lines(row) == ["alice|||b2xk"])
            try await connection.script("select subledger.register('acme-receipts', '1')")
            try await connection.script("select subledger.register('acme-receipts', '1', 'alice', transfer => null)")
            #expect(try await connection.lines(row) == ["alice||-infinity|b2xk"])
            try await connection.script("select subledger.register('acme-receipts', '1', 'bob', transfer => true)")
            #expect(try await connection.lines(row) == ["bob||-infinity|b2xk"])
        }
    }

    @Test func `of two accounts that register a purchase at once, one has it, the other is refused with a message`()
        async throws
    {
        try await withLedgerDatabase { connection, configuration in
            let other = try await PostgresConnection.connect(configuration)
            for number in 1...100 {
                async let first = Self.isRegistered("\(number)", "alice", on: connection)
                async let second = Self.isRegistered("\(number)", "bob", on: other)
                let (alice, bob) = try await (first, second)
                #expect(alice != bob)
                let owner = try await connection.lines(
                    "select account_id from subledger.subscriptions where store_key = '\(number)'")
                #expect(owner == [alice ? "alice" : "bob"])
            }
            await other.close()
        }
    }

    private static func isRegistered(
        _ key: String, _ account: String, on connection: PostgresConnection
    ) async throws -> Bool {
        do {
            try await connection.script("select subledger.register('acme-ios', '\(key)', '\(account)')")
            return true
        } catch let error as PostgresError where error.message == "this purchase belongs to another account" {
            return false
        }
    }

    /// `import` refuses control characters and more than 1000 bytes, cuts white space around an id, and takes an empty one for none.
    @Test func `an account id is checked by the rule of the import`() async throws {
        try await withLedgerDatabase { connection, _ in
            for id in [
                "'a' || chr(10) || 'b'", "chr(27) || '[2J'", "chr(127)", "'a' || chr(133) || 'b'", "repeat('é', 501)",
            ] {
                let refusal = await #expect(throws: PostgresError.self) {
                    try await connection.script("select subledger.register('acme-ios', '1', \(id))")
                }
                #expect(refusal?.message == "the account id holds control characters or is too long")
            }
            try await connection.script(
                """
                select subledger.register('acme-ios', '1', repeat('é', 500));
                select subledger.register('acme-ios', '1', '');
                select subledger.register('acme-ios', '2', ' ');
                select subledger.register('acme-ios', '3', chr(133) || 'bob' || chr(10))
                """)
            #expect(
                try await connection.lines(
                    "select store_key, length(account_id) from subledger.subscriptions order by store_key")
                    == ["1|500", "2|", "3|3"])
        }
    }

    @Test func `every table and column says what it is`() async throws {
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
