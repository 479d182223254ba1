// SPDX-License-Identifier: Apache-2.0

package import Model
package import Postgres
internal import SQLCatalog

extension RunLedger {
    /// Renews the leader's lease; false when another process leads the run now.
    package func renew(_ run: Run) async throws(PostgresError) -> Bool {
        let parameters: [PostgresValue] = [.int(run.id), .int(run.generation), .int(Self.leaseSeconds)]
        return try await !database.query(SQL.Pipeline.renewRun, parameters).isEmpty
    }

    /// Seals a run: its data is complete, reports as of it never change. Returns the seal's number.
    package func seal(_ run: Run) async throws -> Int64 {
        let rows = try await database.query(SQL.Pipeline.sealRun, [.int(run.id), .int(run.generation)])
        guard let seal = try rows.first?.int64("seal") else {
            throw PipelineError(.failed, "run \(run.id) could not be sealed: another process leads it now")
        }
        return seal
    }

    /// An app is stopped by its store: its unasked subscriptions stay due.
    package func stop(_ app: AppID, of run: Run, because reason: String) async throws(PostgresError) {
        try await database.execute(
            SQL.Pipeline.abandonChunks, [.int(run.id), .textArray([app.rawValue])])
        try await database.execute(SQL.Pipeline.stopApp, [.int(run.id), PostgresValue(app), .text(reason)])
    }

    /// Ends a run with its outcome and counts; its apps are free again.
    package func finish(_ run: Run, outcome: RunSummary.Outcome, counts: [String: Int64]) async throws {
        try await database.withTransaction { connection in
            try await connection.execute(SQL.Pipeline.closeRunApps, [.int(run.id)])
            try await connection.execute(
                SQL.Pipeline.finishRun,
                [.int(run.id), PostgresValue(outcome), PostgresValue(counts: counts)])
        }
    }
}
