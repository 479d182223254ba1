// SPDX-License-Identifier: Apache-2.0

import Imports
import Logging
import Model
import Postgres
import Runs
import Testing
import TestSupport

/// `import subscriptions` against a real database.
@Suite struct SubscriptionImportTests {
    private static let apps = [
        SubscriptionImport.App(id: AppID("acme-ios"), readsReceipts: false),
        SubscriptionImport.App(id: AppID("acme-receipts"), readsReceipts: true),
    ]
    /// Base64 of 24 bytes; a canary that no reason may repeat.
    private static let receipt = "Q0FOQVJZLUNBTkFSWS1DQU5BUlktMDE="

    @discardableResult
    private func take(
        _ text: String, _ connection: PostgresConnection, _ database: PostgresConfiguration,
        now: String = "2026-03-01T02:15:00Z"
    ) async throws -> SubscriptionImport.Outcome {
        let businessDate = try #require(BusinessDate("2026-02-28"))
        return try await SubscriptionImport(
            sessions: DatabaseSessions(database, logger: Logger(label: "test")), logger: Logger(label: "test")
        ).run(
            ImportFile(Array(text.utf8)), apps: Self.apps, now: try #require(Instant(iso8601: now)),
            businessDate: businessDate)
    }

    @Test func `good lines go in, bad ones are named by number and reason`() async throws {
        try await withLedgerDatabase { connection, database in
            let outcome = try await take(
                """
                {"app_id":"acme-ios","store_key":"1000000481802759","account_id":"a1","country":"jp",
                {"app_id":"acme-ios","store_key":"1000000481802759","account_id":"a1","country":"jp","expires_at":"2026-03-09T10:05:00Z"}
                {"app_id":"acme-ios","store_key":20,"product_id":"pro","environment":"sandbox"}

                {"app_id":"nope","store_key":"1"}
                {"app_id":"acme-ios","receipt":"\(Self.receipt)"}
                {"app_id":"acme-ios","store_key":"3","expires_at":"01/02/2026"}
                {"app_id":"acme-ios","store_key":"3","country":"Japan"}
                {"app_id":"acme-ios","store_key":"3","environment":"xcode"}
                {"app_id":"acme-ios","store_key":"3","colour":"red"}
                {"store_key":"3"}
                {"app_id":"acme-receipts","receipt":"\(Self.receipt)!"}
                {"app_id":"acme-ios","store_key":"a\\u0000b"}
                """, connection, database)
            #expect(outcome.good == 2)
            #expect(outcome.new == 2)
            #expect(
                outcome.bad.map { "\($0.number): \($0.reason)" } == [
                    "1: it is no JSON object of texts and whole numbers", "5: unknown app `nope`",
                    "6: missing store_key", "7: bad date `01/02/2026` in expires_at: write 2026-03-01T00:00:00Z",
                    "8: bad country `Japan`: two letters of ISO 3166-1, such as US or JP",
                    "9: bad environment `xcode`: production or sandbox", "10: unknown column `colour`",
                    "11: missing app_id", "12: bad receipt: it is no base64, or too long",
                    "13: bad store_key of 3 characters: an App Store transaction id has 1 to 20 digits, the first of them not 0",
                ])
            let rows = try await connection.lines(
                """
                select subscription_key, store_key, account_id, product_id, environment, country,
                    expires_at, next_check_at, registered_at, state
                from subledger.subscriptions order by store_key
                """)
            #expect(
                rows == [
                    "7928393119289343153|1000000481802759|a1|||JP|2026-03-09T10:05:00+00:00|-infinity"
                        + "|2026-03-01T02:15:00+00:00|unverified",
                    "\(SubscriptionVectors.acme20)|20||pro|sandbox|||-infinity|2026-03-01T02:15:00+00:00|unverified",
                ])
            let runs = try await connection.lines(
                "select job, outcome, counts ->> 'bad_lines', seal from subledger.runs")
            #expect(runs == ["import|partial|10|1"])
        }
    }

    @Test func `the same file twice makes nothing twice and asks again`() async throws {
        try await withLedgerDatabase { connection, database in
            let file = "app_id,store_key,expires_at\nacme-ios,1,2026-03-09T10:05:00Z\nacme-ios,2,\n"
            #expect(try await take(file, connection, database).new == 2)
            try await connection.script(
                """
                update subledger.subscriptions set state = 'active', last_checked_at = '2026-03-02T00:00:00Z',
                    next_check_at = '2026-04-01T00:00:00Z', expires_at = '2026-04-02T00:00:00Z' where store_key = '1'
                """)
            let again = try await take(file, connection, database, now: "2026-03-03T02:15:00Z")
            #expect(again.good == 2)
            #expect(again.new == 0)
            let rows = try await connection.lines(
                """
                select store_key, state, expires_at, next_check_at, next_check_reason, registered_at
                from subledger.subscriptions order by store_key
                """)
            #expect(
                rows == [
                    "1|active|2026-04-02T00:00:00+00:00|-infinity|registered|2026-03-01T02:15:00+00:00",
                    "2|unverified||-infinity|registered|2026-03-01T02:15:00+00:00",
                ], "what the store said since counts more than the file")
        }
    }

    @Test func `a bare receipt serves as the store key, once`() async throws {
        try await withLedgerDatabase { connection, database in
            let file = "{\"app_id\":\"acme-receipts\",\"receipt\":\"\(Self.receipt)\",\"account_id\":\"a1\"}\n"
            #expect(try await take(file + file, connection, database).new == 1)
            let placeholder = "receipt-" + SubscriptionVectors.receiptDigest
            let rows = try await connection.lines(
                """
                select s.store_key, s.account_id, r.receipt
                from subledger.subscriptions s join subledger.receipts r using (receipt_id)
                """)
            #expect(rows == ["\(placeholder)|a1|\(Self.receipt)"])
            // The night that asked: the receipt's subscription is known now, its placeholder gone.
            try await connection.script(
                """
                insert into subledger.subscriptions (subscription_key, lineage_key, app_id, store, store_key, receipt_id,
                    registered_at, state, last_checked_at, next_check_at)
                select 1, 1, app_id, store, '1000', receipt_id, registered_at, 'active', now(), '2030-01-01'
                from subledger.subscriptions;
                delete from subledger.subscriptions where store_key like 'receipt-%';
                """)
            let again = try await take(file, connection, database, now: "2026-03-03T02:15:00Z")
            #expect(again.good == 1)
            #expect(again.new == 0)
            let after = try await connection.lines("select store_key, next_check_at from subledger.subscriptions")
            #expect(after == ["1000|-infinity"])
        }
    }

    @Test func `a file without a good line opens no run`() async throws {
        try await withLedgerDatabase { connection, database in
            for text in ["app_id,store_key\nnope,1\n", "app_id,stroe_key\nacme-ios,1\n", "", "app_id,store_key\n"] {
                let outcome = try await take(text, connection, database)
                #expect(outcome.good == 0)
            }
            let runs = try await connection.lines("select run_id from subledger.runs")
            #expect(runs == [])
        }
    }

    @Test func `CSV is read as RFC 4180 says`() async throws {
        try await withLedgerDatabase { connection, database in
            let file =
                "\u{FEFF}app_id,store_key,account_id\r\nacme-ios,1,\"a, \"\"b\"\"\"\r\n\r\nacme-ios,\"2\",\r\n"
                + "acme-ios,3\r\nacme-ios,4,\"x\ny\"\r\nacme-ios,5,\"x\"y\r\nacme-ios,6,z"
            let outcome = try await take(file, connection, database)
            #expect(outcome.good == 3)
            #expect(
                outcome.bad.map { "\($0.number): \($0.reason)" } == [
                    "5: it has 2 fields where the header names 3",
                    "6: bad account_id: it holds control characters or is too long",
                    "8: a quoted field goes on after its quote",
                ])
            let rows = try await connection.lines(
                "select store_key, account_id from subledger.subscriptions order by store_key")
            #expect(rows == ["1|a, \"b\"", "2|", "6|z"])
        }
    }

    @Test func `a line of more than eight megabytes is named, and the others are taken`() async throws {
        let receipt = String(repeating: "A", count: 8_000_000)
        let files = [
            "app_id,store_key,receipt\nacme-ios,1,\nacme-ios,2,\(receipt)\nacme-ios,3,\n",
            """
            {"app_id": "acme-ios", "store_key": "1"}
            {"app_id": "acme-ios", "store_key": "2", "receipt": "\(receipt)"}
            {"app_id": "acme-ios", "store_key": "3"}
            """,
        ]
        for (text, number) in zip(files, [3, 2]) {
            try await withLedgerDatabase { connection, database in
                let outcome = try await take(text, connection, database)
                #expect(outcome.good == 2)
                #expect(
                    outcome.bad.map { "\($0.number): \($0.reason)" } == ["\(number): it is longer than 8 megabytes"])
            }
        }
    }

    @Test(arguments: ["54000", "P0001"])
    func `a line that the database refuses is named, and the others are taken`(sqlState: String) async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(
                """
                create function public.refuse() returns trigger language plpgsql as $refuse$
                begin
                    if new.store_key = '7' then
                        raise exception 'a rule of the owner''s' using errcode = '\(sqlState)';
                    end if;
                    return new;
                end $refuse$;
                create trigger refuse before insert on subledger.subscriptions
                    for each row execute function public.refuse()
                """)
            let lines = (1...20).map { "acme-ios,\($0)" }.joined(separator: "\n")
            let outcome = try await take("app_id,store_key\n\(lines)\n", connection, database)
            #expect(outcome.good == 19 && outcome.new == 19)
            // The header is the first line.
            #expect(outcome.bad.map(\.number) == [8])
            #expect(outcome.bad.first?.reason.description.contains("SQLSTATE \(sqlState)") == true)
        }
    }

    @Test func `more lines than fit in one transaction are all imported`() async throws {
        try await withLedgerDatabase { connection, database in
            let lines = (1...2_500).map { "acme-ios,\($0)" }.joined(separator: "\n")
            let outcome = try await take("app_id,store_key\n" + lines, connection, database)
            #expect(outcome.good == 2_500)
            #expect(outcome.new == 2_500)
            #expect(try await connection.lines("select count(*) from subledger.subscriptions") == ["2500"])
        }
    }

    @Test func `a line of a second account is a bad line, named, and nothing of it is taken`() async throws {
        try await withLedgerDatabase { connection, database in
            try await connection.script(
                """
                select subledger.register('acme-ios', '1', 'alice'), subledger.register('acme-ios', '2');
                update subledger.subscriptions set next_check_at = '2030-01-01'
                """)
            let outcome = try await take(
                """
                app_id,store_key,account_id,product_id,country
                acme-ios,1,bob,stolen,
                acme-ios,2,carol,,
                acme-ios,3,,,JP
                acme-ios,3,dan,gold,
                acme-ios,3,erin,silver,DE
                acme-ios,3,dan,bronze,FR
                acme-ios,1,,,
                acme-ios,2,frank,,
                """, connection, database)
            let reason = "it belongs to another account; register(…, transfer => true) moves a purchase"
            #expect(
                outcome.bad.map { "\($0.number): \($0.reason)" } == ["2: \(reason)", "6: \(reason)", "9: \(reason)"])
            #expect(outcome.good == 5 && outcome.new == 1)
            #expect(
                try await connection.lines(
                    """
                    select store_key, account_id, product_id, country, next_check_at from subledger.subscriptions
                    order by store_key
                    """) == ["1|alice|||-infinity", "2|carol|||-infinity", "3|dan|gold|FR|-infinity"])
            #expect(
                try await connection.lines("select outcome, counts ->> 'bad_lines' from subledger.runs") == [
                    "partial|3"
                ])
        }
    }

    @Test func `a refused line does not have its purchase asked about`() async throws {
        try await withLedgerDatabase { connection, database in
            let bare = "{\"app_id\":\"acme-receipts\",\"receipt\":\"\(Self.receipt)\",\"account_id\":\"a1\"}\n"
            try await take(bare, connection, database)
            try await connection.script(
                """
                select subledger.register('acme-ios', '1', 'alice');
                insert into subledger.subscriptions (subscription_key, lineage_key, app_id, store, store_key, receipt_id,
                    registered_at, account_id)
                select 7, 7, app_id, store, '1000', receipt_id, registered_at, 'a1'
                from subledger.subscriptions where app_id = 'acme-receipts';
                update subledger.subscriptions set next_check_at = '2030-01-01'
                """)
            let second = bare.replacing("a1", with: "a2")
            let outcome = try await take(
                second + "{\"app_id\":\"acme-ios\",\"store_key\":\"1\",\"account_id\":\"bob\"}\n", connection,
                database, now: "2026-03-02T02:15:00Z")
            #expect(outcome.good == 0 && outcome.bad.map(\.number) == [1, 2])
            #expect(
                try await connection.lines("select distinct next_check_at from subledger.subscriptions")
                    == ["2030-01-01T00:00:00+00:00"])
        }
    }

    /// The backend has registered the purchase and not committed when the import comes to it.
    @Test func `an import that races a registration of another account loses, and says so`() async throws {
        try await withLedgerDatabase { connection, database in
            let backend = try await PostgresConnection.connect(database)
            try await backend.script("begin; select subledger.register('acme-ios', '1', 'alice')")
            async let imported = take(
                "app_id,store_key,account_id\nacme-ios,1,bob\nacme-ios,2,bob\n", connection, database)
            while try await backend.lines("select pid from pg_locks where not granted").isEmpty {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await backend.script("commit")
            let outcome = try await imported
            #expect(outcome.good == 1 && outcome.new == 1 && outcome.bad.map(\.number) == [2])
            #expect(
                try await backend.lines("select store_key, account_id from subledger.subscriptions order by store_key")
                    == ["1|alice", "2|bob"])
            await backend.close()
        }
    }

    @Test func `lines that share a receipt store it once, and a newer text replaces it`() async throws {
        try await withLedgerDatabase { connection, database in
            func lines(_ receipt: String, _ keys: String...) -> String {
                keys.map {
                    "{\"app_id\":\"acme-receipts\",\"store_key\":\"\($0)\",\"receipt\":\"\(receipt)\"}\n"
                }.joined()
            }
            try await take(lines("b25l", "1", "2"), connection, database)
            try await take(lines("dHdv", "2", "3"), connection, database, now: "2026-03-02T02:15:00Z")
            let rows = try await connection.lines(
                """
                select s.store_key, r.receipt, r.receipt_id = (
                    select receipt_id from subledger.subscriptions where store_key = '1') as of_first
                from subledger.subscriptions s join subledger.receipts r using (receipt_id) order by 1
                """)
            // As subledger.register has it: 1 and 2 share one receipt, whose newer text 2 brought.
            #expect(rows.prefix(2) == ["1|dHdv|true", "2|dHdv|true"])
            #expect(rows.count == 3 && rows.last?.hasPrefix("3|dHdv|") == true)
        }
    }

    @Test(
        arguments: [
            ("app_id,store_key, store_key\nacme-ios,1,2\n", ["1: the header names `store_key` twice"]),
            (
                #"{"app_id":"acme-ios","store_key":"1","store_key":"2"}"# + "\n"
                    + #"{"app_id":"acme-ios","store_key":"5","account_id":"\"store_key\":"}"# + "\n"
                    + #"{"app_id":"acme-ios","store_key":"3","store\u005fkey" : "4"}"#,
                ["1: it names `store_key` twice", "3: it names `store_key` twice"]
            ),
        ])
    func `two columns or members of one name are named, whatever the file`(file: String, bad: [String]) async throws {
        try await withLedgerDatabase { connection, database in
            let outcome = try await take(file, connection, database)
            #expect(outcome.bad.map { "\($0.number): \($0.reason)" } == bad)
        }
    }

    @Test func `an app with an open run takes no import`() async throws {
        try await withLedgerDatabase { connection, database in
            let now = try #require(Instant(iso8601: "2026-03-01T02:15:00Z"))
            _ = try await RunLedger(connection: connection).open(
                .nightly, apps: [AppID("acme-ios")], now: now, businessDate: try #require(BusinessDate("2026-02-28")))
            await #expect {
                try await take("app_id,store_key\nacme-ios,1\n", connection, database)
            } throws: { ($0 as? PipelineError)?.kind == .alreadyRunning }
            #expect(try await take("app_id,store_key\nacme-receipts,1\n", connection, database).good == 1)
        }
    }
}

/// Reckoned by other programs: `printf 'acme-ios\0' …| sha256sum`, and `sha256sum` of the receipt's text.
private enum SubscriptionVectors {
    static let acme20 = "8279772504853355681"
    static let receiptDigest = "6e88b080ac458bf90f2481526a09b023"
}
