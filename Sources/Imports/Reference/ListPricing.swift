// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// Books prices of the imported price list for rows whose price the store did not report.
///
/// A price that was unknown is one charge at the instant of the purchase; one that was booked from the list at another
/// price is a correction pair. Each is recorded by the run that learned of it, the import.
package struct ListPricing: Sendable {
    /// Represents the whole run: no chunk of work has this number.
    private static let chunk = 0

    private let connection: PostgresConnection

    package init(connection: PostgresConnection) { self.connection = connection }

    /// Within the caller's transaction, for apps whose run this is; returns how many transactions changed.
    package func price(_ apps: [AppID], run: Int64, now: Instant) async throws(PostgresError) -> Int {
        let identity: [PostgresValue] = [.int(run), PostgresValue(Self.chunk)]
        let dated = identity + [PostgresValue(now)]
        try await connection.execute(SQL.Load.findListPrices, identity + [.textArray(apps.map(\.rawValue))])
        try await connection.execute(SQL.Load.appendLedgerEntries, dated)
        try await connection.execute(SQL.Load.upsertTransactions, identity)
        try await connection.execute(SQL.Load.appendVersions, dated)
        let counted = try await connection.query(SQL.Load.countStageChanges, identity).first
        try await connection.execute(SQL.Load.clearStageChanges, identity)
        return try counted?.int("changes") ?? 0
    }
}
