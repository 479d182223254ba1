// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

/// Extract: plans what is due as chunks of a run, and reads a chunk's subscriptions with what we know of each.
///
/// Nothing but chunk rows is locked, and no transaction is open while a store is asked.
package struct ExtractStage: Sendable {
    /// One app's part of a run.
    package struct Plan: Sendable {
        package let runID: Int64
        package let appID: AppID
        package let now: Instant
        /// Every subscription that is not closed, due or not.
        package let isAudit: Bool

        package init(runID: Int64, appID: AppID, now: Instant, isAudit: Bool) {
            self.runID = runID
            self.appID = appID
            self.now = now
            self.isAudit = isAudit
        }
    }

    /// What was planned.
    package struct Planned: Sendable {
        package let chunks: Int
        package let due: Int
    }

    private let connection: PostgresConnection

    package init(connection: PostgresConnection) { self.connection = connection }

    /// Writes the chunks of one app, numbered after those planned before it. In a transaction of the caller's, so that
    /// chunks and plan agree.
    package func plan(_ plan: Plan, chunkSize: Int, after chunksBefore: Int) async throws(PostgresError) -> Planned {
        try await connection.execute(SQL.Extract.settleLoops)
        try await connection.execute(
            SQL.Extract.planChunks,
            [
                .int(plan.runID), PostgresValue(plan.appID), PostgresValue(plan.now), .bool(plan.isAudit),
                PostgresValue(chunkSize), PostgresValue(chunksBefore),
            ])
        try await connection.execute(
            SQL.Extract.keepPlan, [.int(plan.runID), PostgresValue(plan.appID), PostgresValue(chunksBefore)])
        return try await planned(runID: plan.runID, appID: plan.appID)
    }

    /// What a run has planned for an app.
    package func planned(runID: Int64, appID: AppID) async throws(PostgresError) -> Planned {
        let rows = try await connection.query(SQL.Extract.countPlanned, [.int(runID), PostgresValue(appID)])
        guard let row = rows.first else { return Planned(chunks: 0, due: 0) }
        return Planned(chunks: try row.int("chunks"), due: try row.int("due"))
    }

    /// The subscriptions of a chunk, in its order. Keys that are no longer there are left out.
    package func read(
        keys: [SubscriptionKey], now: Instant, isAudit: Bool, refundWatchDays: [Int64]
    ) async throws(PostgresError) -> [DueSubscription] {
        let parameters: [PostgresValue] = [.intArray(keys.map(\.rawValue))]
        let known = try await periods(SQL.Extract.listKnownPeriods, parameters)
        let earlier = try await periods(SQL.Extract.listEarlierPeriods, parameters)
        var due: [DueSubscription] = []
        for row in try await connection.query(SQL.Extract.listDue, parameters) {
            let key = try row.subscriptionKey("subscription_key")
            let watch = Watch(now: now, isAudit: isAudit, days: refundWatchDays)
            due.append(try DueSubscription(row, known: known[key] ?? [], earlier: earlier[key] ?? [], watch: watch))
        }
        return due
    }

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

    private func periods(
        _ statement: Statement, _ parameters: [PostgresValue]
    ) async throws(PostgresError) -> [SubscriptionKey: [KnownPeriod]] {
        var periods: [SubscriptionKey: [KnownPeriod]] = [:]
        for row in try await connection.query(statement, parameters) {
            periods[try row.subscriptionKey("subscription_key"), default: []].append(try KnownPeriod(row))
        }
        return periods
    }
}
