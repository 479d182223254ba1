// SPDX-License-Identifier: Apache-2.0

import Glibc
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

    /// As it was installed before registrations could be moved: roles first, then the newer program.
    @Test func `who might register may register after the upgrade`() async throws {
        let role = "backend_of_\(getpid())"
        try await withTestDatabase { connection, _ in
            let upgrade = try #require(SQL.Migrations.all.firstIndex { $0.name.contains("0017_") })
            for migration in SQL.Migrations.all[..<upgrade] { try await connection.executeScript(migration) }
            let function = "subledger.register(text, text, text, text, text, text, text)"
            try await connection.script(
                """
                insert into subledger.apps (app_id, store) values ('acme-ios', 'app_store');
                create role \(role) nologin;
                grant usage on schema subledger to \(role);
                revoke execute on function \(function) from public;
                grant execute on function \(function) to \(role);
                create role other_\(role) nologin;
                grant usage on schema subledger to other_\(role)
                """)
            for migration in SQL.Migrations.all[upgrade...] { try await connection.executeScript(migration) }
            try await connection.script(
                "set role \(role); select subledger.register('acme-ios', '1', 'alice'); reset role")
            await #expect(throws: PostgresError.self) {
                try await connection.script("set role other_\(role); select subledger.register('acme-ios', '2')")
            }
            try await connection.script("reset role")
        }
        try await withTestDatabase { connection, _ in
            try await connection.script("drop role \(role), other_\(role)")
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
