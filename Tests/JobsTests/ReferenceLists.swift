// SPDX-License-Identifier: Apache-2.0

import Imports
import Logging
import Model
import Postgres
import Runs
import TestSupport
import Testing

/// Lists of the owner's, handed to `import products|prices|fx|commission-rules|tax-rates`, and what it says of their lines.
enum ReferenceLists {
    @discardableResult
    static func take(
        _ text: String, as kind: ReferenceImport.Kind, _ database: PostgresConfiguration,
        now: String = "2026-03-10T02:15:00Z", logger: Logger = Logger(label: "test")
    ) async throws -> ReferenceImport.Outcome {
        let sessions = DatabaseSessions(database, logger: logger)
        let outcome = try await ReferenceImport(sessions: sessions, logger: logger).run(
            ImportFile(Array(text.utf8)), as: kind,
            apps: [
                AppID("acme-ios"): .appStore, AppID("acme-receipts"): .appStore, AppID("acme-android"): .googlePlay,
            ],
            now: try #require(Instant(iso8601: now)), businessDate: try #require(BusinessDate("2026-03-09")))
        await sessions.close()
        return outcome
    }

    static func said(_ lines: [BadLine]) -> [String] { lines.map { "\($0.number): \($0.reason)" } }
}
