// SPDX-License-Identifier: Apache-2.0

import Imports
import Logging
import Model
import Postgres
import Runs
import TestSupport
import Testing

/// Ids that went through a spreadsheet, which keeps fifteen digits of a number.
@Suite struct SpreadsheetIdTests {
    @Test
    func `Golden: ids of 16 digits retain every digit, and one that Excel has cut is refused by name`() async throws {
        try await withLedgerDatabase { connection, database in
            let file = """
                app_id,store_key,account_id
                acme-ios,1000000481802759,a1
                acme-ios,1.00000048180276E+15,a2
                acme-ios,"1,00000048180276E+15",a3
                acme-ios,1E+15,a4
                acme-ios,2000000999999999,a5
                """
            let outcome = try await Self.take(file, connection, database)
            #expect(
                outcome.bad.map { "\($0.number): \($0.reason)" } == [
                    "3: bad store_key `1.00000048180276E+15`: a spreadsheet has changed it: export the column as text",
                    "4: bad store_key `1,00000048180276E+15`: a spreadsheet has changed it: export the column as text",
                    "5: bad store_key `1E+15`: a spreadsheet has changed it: export the column as text",
                ])
            // A number of JSON lines is no less exact than a text.
            let lines = try await Self.take(
                "{\"app_id\":\"acme-ios\",\"store_key\":1000000481802758}\n", connection, database)
            #expect(lines.good == 1)
            #expect(
                try await connection.lines("select store_key from subledger.subscriptions order by store_key") == [
                    "1000000481802758", "1000000481802759", "2000000999999999",
                ])
        }
    }

    private static func take(
        _ text: String, _ connection: PostgresConnection, _ database: PostgresConfiguration
    ) async throws -> SubscriptionImport.Outcome {
        let now = try #require(Instant(iso8601: "2026-03-01T02:15:00Z"))
        let date = try #require(BusinessDate("2026-02-28"))
        return try await SubscriptionImport(
            sessions: DatabaseSessions(database, logger: Logger(label: "test")), logger: Logger(label: "test")
        ).run(
            ImportFile(Array(text.utf8)), apps: [SubscriptionImport.App(id: AppID("acme-ios"), readsReceipts: false)],
            now: now, businessDate: date)
    }
}
