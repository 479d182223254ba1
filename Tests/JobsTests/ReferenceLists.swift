// SPDX-License-Identifier: Apache-2.0

import Imports
import Logging
import Model
import Postgres
import TestSupport
import Testing

/// Lists of the owner's, handed to `import products|prices|fx|commission-rules|tax-rates`, and what it says of their lines.
enum ReferenceLists {
    @discardableResult
    static func take(
        _ text: String, as kind: ReferenceImport.Kind, _ connection: PostgresConnection,
        _ database: PostgresConfiguration, now: String = "2026-03-10T02:15:00Z"
    ) async throws -> ReferenceImport.Outcome {
        try await ReferenceImport(connection: connection, database: database, logger: Logger(label: "test")).run(
            ImportFile(Array(text.utf8)), as: kind,
            apps: [
                AppID("acme-ios"): .appStore, AppID("acme-receipts"): .appStore, AppID("acme-android"): .googlePlay,
            ],
            now: try #require(Instant(iso8601: now)), businessDate: try #require(BusinessDate("2026-03-09")))
    }

    static func said(_ lines: [BadLine]) -> [String] { lines.map { "\($0.number): \($0.reason)" } }
}
