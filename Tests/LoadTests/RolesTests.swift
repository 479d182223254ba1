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
                "payload from subledger.notification_inbox",
            ] {
                await #expect(throws: PostgresError.self) { try await connection.script("select \(secret)") }
            }
        }
    }

    /// All that the inboxes say of a row but what was handed in.
    @Test(arguments: [("purchase_inbox", ["payload", "signature"]), ("notification_inbox", ["payload"])])
    func `the backend reads every other column of an inbox`(inbox: String, secret: [String]) async throws {
        try await Self.with("subledger_backend") { connection in
            let columns = try await connection.lines(
                """
                select attname from pg_attribute
                where attrelid = 'subledger.\(inbox)'::regclass and attnum > 0 and not attisdropped
                """)
            #expect(columns.count > 10)
            for column in columns {
                let reading = { try await connection.script("select \(column) from subledger.\(inbox)") }
                if secret.contains(column) {
                    let refusal = await #expect(throws: PostgresError.self) { try await reading() }
                    #expect(refusal?.sqlState == "42501", "\(column)")
                } else {
                    await #expect(throws: Never.self, "\(column)") { try await reading() }
                }
            }
        }
    }

    private static let insertable = [
        "purchase_inbox": [
            "app_id": "'acme-ios'", "account_id": "'alice'", "kind": "'play_token'", "payload": "'token-1'",
            "signature": "'c2ln'", "product_id": "'gold'",
        ],
        "notification_inbox": ["app_id": "'acme-ios'", "source": "'play_rtdn'", "payload": "'{}'"],
    ]

    @Test(arguments: [
        ("purchase_inbox", "purchase_id", "accepted"), ("notification_inbox", "notification_id", "applied"),
    ])
    func `what the backend hands in is pending, with no number, time or verdict of its own`(
        inbox: String, key: String, verdict: String
    ) async throws {
        try await Self.with("subledger_backend") { connection in
            let values = try #require(Self.insertable[inbox])
            let (names, texts) = (Array(values.keys), Array(values.values))
            let answer = try await connection.query(
                Statement(
                    name: "hands in",
                    text: "insert into subledger.\(inbox) (\(names.joined(separator: ", "))) "
                        + "values (\(texts.joined(separator: ", "))) returning \(key) as id, state"))
            #expect(try answer.map { try $0.string("state") } == ["pending"])
            #expect(try answer.map { try $0.int64("id") } == [1])
            let columns = try await connection.lines(
                """
                select attname from pg_attribute
                where attrelid = 'subledger.\(inbox)'::regclass and attnum > 0 and not attisdropped
                """)
            for column in columns where !names.contains(column) {
                let refusal = await #expect(throws: PostgresError.self, "\(column)") {
                    try await connection.script(
                        "insert into subledger.\(inbox) (\((names + [column]).joined(separator: ", "))) "
                            + "overriding system value values (\((texts + ["default"]).joined(separator: ", ")))")
                }
                #expect(refusal?.sqlState == "42501", "\(column)")
            }
            for forbidden in [
                "update subledger.\(inbox) set state = '\(verdict)'", "delete from subledger.\(inbox)",
                "truncate subledger.\(inbox)", "select * from subledger.\(inbox) for update",
                "do $$ begin lock table subledger.\(inbox) in access exclusive mode; end $$",
            ] {
                let refusal = await #expect(throws: PostgresError.self, "\(forbidden)") {
                    try await connection.script(forbidden)
                }
                #expect(refusal?.sqlState == "42501", "\(forbidden)")
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
