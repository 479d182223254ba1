// SPDX-License-Identifier: Apache-2.0

import Extract
import Model
import Postgres
import SQLCatalog
import Stores
import Transform

extension NightlyApp {
    /// How this app's answers are read in a run, with the levels of its products that were imported by then.
    func transform(now: Instant, on connection: PostgresConnection) async throws(PostgresError) -> TransformStage {
        let levels = try await ExtractStage(connection: connection).levels(of: id, now: now)
        return TransformStage(
            store: store, now: now, defaultCountry: defaultCountry,
            refundWatchDays: try await refundWatchDays(on: connection), levels: levels)
    }

    /// The charges that are looked at again, in days after the charge: none while the store's history of notifications,
    /// which tells of refunds, is read. A pull that failed tonight is no reason: its mark stands.
    func refundWatchDays(on connection: PostgresConnection) async throws(PostgresError) -> [Int64] {
        guard store.tellsRefunds else { return store.refundWatchDays }
        guard let pull = try await connection.query(SQL.Notifications.findPull, [PostgresValue(id)]).first else {
            return store.refundWatchDays
        }
        let (until, notKept) = (try pull.optionalInstant("pulled_until"), try pull.optionalInstant("not_kept_since"))
        return until != nil && notKept == nil ? [] : store.refundWatchDays
    }
}
