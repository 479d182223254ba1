// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

extension ExtractStage {
    /// One app's part of a run.
    package struct Plan: Sendable {
        package let runID: Int64
        /// Of the leader that plans.
        package let generation: Int64
        package let appID: AppID
        package let now: Instant
        /// Every subscription that is not closed, due or not.
        package let isAudit: Bool
        /// The looks at one-time sales of this app.
        package let looks: Looks

        package init(
            runID: Int64, generation: Int64, appID: AppID, now: Instant, isAudit: Bool, looks: Looks = Looks()
        ) {
            self.runID = runID
            self.generation = generation
            self.appID = appID
            self.now = now
            self.isAudit = isAudit
            self.looks = looks
        }
    }

    /// How an app's one-time sales are looked at again for refunds.
    package struct Looks: Sendable {
        /// The store's own days after a charge.
        package let days: [Int64]
        /// The app's notifications report every refund: what falls due is passed over.
        package let areReported: Bool

        package init(days: [Int64] = [], areReported: Bool = false) {
            self.days = days
            self.areReported = areReported
        }

        /// Sales are asked about.
        package var areMade: Bool { !days.isEmpty && !areReported }
    }

    /// What was planned.
    package struct Planned: Sendable {
        package let chunks: Int
        package let due: Int
    }

    /// Another process leads the run: nothing was planned.
    package struct RunLost: Error {}

    /// Plans what is due of one app and not planned yet, and records how much it is, in one transaction.
    ///
    /// Of two processes that plan for a run at once, a leader that was frozen and its successor, the second one finds its numbers
    /// taken: it counts again.
    ///
    /// Throws `RunLost` or `PostgresError`.
    package func plan(_ plan: Plan, chunkSize: Int) async throws -> Planned {
        try await connection.withTransaction(
            attempts: Self.attempts, isOvertaken: { $0.constraint == "run_chunks_pkey" }
        ) { connection in
            try await lead(plan)
            let counted = try await connection.query(SQL.Pipeline.countChunks, [.int(plan.runID)]).first
            let planned = try await self.plan(plan, chunkSize: chunkSize, after: try counted?.int("chunks") ?? 0)
            try await connection.execute(
                SQL.Pipeline.setDue, [.int(plan.runID), PostgresValue(plan.appID), PostgresValue(planned.due)])
            return planned
        }
    }

    private static let attempts = 5

    /// The run's row comes before that of its app (sql/README.md, "The order of locks").
    private func lead(_ plan: Plan) async throws {
        try await refuseLost(plan)
        _ = try await connection.query(SQL.Extract.lockPlanning, [.int(plan.runID), PostgresValue(plan.appID)])
        try await refuseLost(plan)
    }

    private func refuseLost(_ plan: Plan) async throws {
        let leading = try await connection.query(SQL.Extract.findLeading, [.int(plan.runID), .int(plan.generation)])
        guard !leading.isEmpty else { throw RunLost() }
    }

    /// Writes the chunks of one app, numbered after those planned before it.
    ///
    /// In a transaction of the caller's, so that chunks and plan agree.
    package func plan(_ plan: Plan, chunkSize: Int, after chunksBefore: Int) async throws(PostgresError) -> Planned {
        if plan.looks.areReported {
            try await connection.execute(
                SQL.Extract.passOverLooks,
                [PostgresValue(plan.appID), PostgresValue(plan.now), .intArray(plan.looks.days)])
        }
        try await connection.execute(SQL.Extract.planByHash)
        try await connection.execute(
            SQL.Extract.planChunks,
            [
                .int(plan.runID), PostgresValue(plan.appID), PostgresValue(plan.now), .bool(plan.isAudit),
                PostgresValue(chunkSize), PostgresValue(chunksBefore), .bool(plan.looks.areMade),
            ])
        try await connection.execute(
            SQL.Extract.persistPlan, [.int(plan.runID), PostgresValue(plan.appID), PostgresValue(chunksBefore)])
        return try await planned(runID: plan.runID, appID: plan.appID)
    }

    /// What a run has planned for an app.
    package func planned(runID: Int64, appID: AppID) async throws(PostgresError) -> Planned {
        let rows = try await connection.query(SQL.Extract.countPlanned, [.int(runID), PostgresValue(appID)])
        guard let row = rows.first else { return Planned(chunks: 0, due: 0) }
        return Planned(chunks: try row.int("chunks"), due: try row.int("due"))
    }

    /// Whether anything of these apps is still to be done: chunks are to be worked on, or deferred checks wait for a decision.
    package func isUndone(runID: Int64, of apps: [AppID]) async throws(PostgresError) -> Bool {
        let row = try await connection.query(
            SQL.Pipeline.countUndone, [.int(runID), .textArray(apps.map(\.rawValue))]
        ).first
        guard let row else { return false }
        return try row.int("chunks") + row.int("undecided") > 0
    }
}
