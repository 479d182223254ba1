// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// What is known of an app as a whole before its answers are read.
extension ExtractStage {
    /// The level of service by product and base plan, 1 the highest, of what is listed with one.
    package func levels(of app: AppID, now: Instant) async throws(PostgresError) -> ProductLevels {
        var levels = ProductLevels()
        for row in try await connection.query(SQL.Extract.listLevels, [PostgresValue(app), PostgresValue(now)]) {
            levels.set(
                try row.optionalInt64("level"), of: try row.string("product_id"),
                basePlanID: try row.string("base_plan_id"))
        }
        return levels
    }

    /// Those of the apps of which ids were answered well on earlier nights: a subscription, or a one-time sale that is still watched.
    ///
    /// `run`: the run that asks now, where there is one.
    package func answered(
        of apps: [AppID], before now: Instant, besides run: Int64 = 0
    ) async throws(PostgresError) -> Set<AppID> {
        var answered: Set<AppID> = []
        let rows = try await connection.query(
            SQL.Extract.listAnsweredApps, [.textArray(apps.map(\.rawValue)), PostgresValue(now), .int(run)])
        for row in rows { answered.insert(AppID(try row.string("app_id"))) }
        return answered
    }

    /// The charges that are looked at again, in days after the charge: none while the history of the store's
    /// notifications is read, where it reports every refund.
    ///
    /// A pull that failed tonight does not count: its mark remains.
    ///
    /// `days`: the store's own.
    /// `tellsRefunds`: its notifications report every refund.
    package func refundWatchDays(
        of app: AppID, days: [Int64], reportsRefunds: Bool
    ) async throws(PostgresError) -> [Int64] {
        guard reportsRefunds else { return days }
        guard let pull = try await connection.query(SQL.Notifications.findPull, [PostgresValue(app)]).first else {
            return days
        }
        let (until, unavailable) = (
            try pull.optionalInstant("pulled_until"), try pull.optionalInstant("unavailable_since")
        )
        return until != nil && unavailable == nil ? [] : days
    }
}
