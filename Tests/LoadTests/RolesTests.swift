// SPDX-License-Identifier: Apache-2.0

import Postgres
import SQLCatalog
import TestSupport
import Testing

/// Who shares the database sees what they need and no more.
@Suite struct RolesTests {
    private static func with(
        _ role: String, _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withLedgerDatabase { connection, _ in
            try await connection.executeScript(SQL.Roles.roles)
            try await connection.script(
                """
                select subledger.register('acme-receipts', '1', 'alice', receipt => 'cmVjZWlwdA==');
                set role \(role)
                """)
            try await body(connection)
            try await connection.script("reset role")
        }
    }

    @Test func `the backend registers and reads access, but no receipt and no money`() async throws {
        try await Self.with("subledger_backend") { connection in
            try await connection.script("select subledger.register('acme-ios', '2', 'bob', receipt => 'eA==')")
            let access = try await connection.lines(
                "select account_id, has_access, reason from subledger.entitlements order by account_id")
            #expect(access == ["alice|false|unverified", "bob|false|unverified"])
            for table in ["receipts", "subscriptions", "transactions", "ledger_entries", "store_answers"] {
                await #expect(throws: PostgresError.self) {
                    try await connection.script("select * from subledger.\(table)")
                }
            }
        }
    }

    @Test func `the backend inserts into both inboxes and reads back all but what it inserted`() async throws {
        try await Self.with("subledger_backend") { connection in
            try await connection.script(
                """
                insert into subledger.purchase_inbox (app_id, kind, payload) values ('acme-ios', 'play_token', 'token-1');
                insert into subledger.notification_inbox (app_id, source, payload) values ('acme-ios', 'play_rtdn', '{}')
                """)
            #expect(try await connection.lines("select state from subledger.purchase_inbox") == ["pending"])
            #expect(try await connection.lines("select state from subledger.notification_inbox") == ["pending"])
            for secret in [
                "payload from subledger.purchase_inbox", "signature from subledger.purchase_inbox",
                "payload from subledger.notification_inbox", "dedupe_key from subledger.notification_inbox",
            ] {
                await #expect(throws: PostgresError.self) { try await connection.script("select \(secret)") }
            }
        }
    }

    @Test func `the analyst reads transactions but no receipt, no store key, and writes nothing`() async throws {
        try await Self.with("subledger_analyst") { connection in
            try await connection.script("select * from subledger.transactions, subledger.ledger_entries")
            for forbidden in [
                "select * from subledger.receipts", "select store_key from subledger.subscriptions",
                "select * from subledger.store_answers", "delete from subledger.transactions",
                "select subledger.register('acme-ios', '2')",
            ] {
                await #expect(throws: PostgresError.self) { try await connection.script(forbidden) }
            }
        }
    }
}
