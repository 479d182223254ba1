// SPDX-License-Identifier: Apache-2.0

import Model
import Postgres
import Rendering
import SQLCatalog

extension Coverage {
    /// Of every app, in the order of their names.
    static func read(asOf seal: Int64, on connection: PostgresConnection) async throws(PostgresError) -> [Coverage] {
        let rows = try await connection.query(SQL.Reports.Manifest.coverage, [.int(seal)])
        return try rows.map { row throws(PostgresError) in try Coverage(row) }
    }

    private init(_ row: PostgresRow) throws(PostgresError) {
        self.init(
            appID: try row.string("app_id"), store: try row.string("store"),
            lastRunDate: try row.string("last_run_date"), lastRunOutcome: try row.string("last_run_outcome"),
            reason: try row.optionalString("reason"), due: try row.int64("due"), checked: try row.int64("checked"),
            unread: try row.int64("unread"), lastCheckedAt: try row.optionalInstant("last_checked_at"),
            checkedThrough: try row.optionalString("checked_through"),
            hasOwnBilling: try row.bool("has_own_billing"), retiredOn: try row.optionalString("retired_on"))
    }
}
