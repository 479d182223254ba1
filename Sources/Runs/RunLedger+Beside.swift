// SPDX-License-Identifier: Apache-2.0

package import Logging
package import Model
package import Postgres
internal import SQLCatalog

/// An intake that was to open a run of its own met an open night: it works beside that.
package struct NightIsOpen: Error {}

/// The part of a night's run that one intake works on: no worker takes it, and its lease proves that the purchases are this intake's.
package struct BesideChunk: Sendable {
    package let runID: Int64
    package let number: Int
    package let generation: Int64
}

/// An intake beside an open night: it books under the night's run and neither leads, closes nor seals it.
extension RunLedger {
    /// The open nights of these apps, by app; not those that are sealed and write their reports.
    package func openNights(of apps: [AppID]) async throws(PostgresError) -> [AppID: Int64] {
        var nights: [AppID: Int64] = [:]
        for row in try await database.query(SQL.Pipeline.listOpenNights, [.textArray(apps.map(\.rawValue))]) {
            nights[AppID(try row.string("app_id"))] = try row.int64("run_id")
        }
        return nights
    }

    /// Claims a part of the night's run for the request's only app; nil where the night is sealed by now.
    ///
    /// Another intake beside it is waited for.
    ///
    /// Throws `PipelineError`: `.alreadyRunning`, `.clockRunsBackwards` and `.schemaDiffers` as `open` does.
    package func claim(
        beside night: Int64, _ request: RunRequest, logger: Logger
    ) async throws -> BesideChunk? {
        try await waiting.untilFree(logger: logger) { hasWaited in
            try await database.withTransaction { connection in
                try await Schema.share(on: connection)
                _ = try await clock(of: request, hasWaited: hasWaited)
                guard try await isOpen(night) else { return nil }
                return try await claimOnce(beside: night, request.apps[0])
            }
        }
    }

    /// For the rest of the caller's transaction the night is not sealed.
    ///
    /// False where it is already.
    package func isOpen(_ night: Int64) async throws(PostgresError) -> Bool {
        try await !database.query(SQL.Pipeline.lockOpenNight, [.int(night)]).isEmpty
    }

    private func claimOnce(beside night: Int64, _ app: AppID) async throws -> BesideChunk {
        try await database.execute(SQL.Pipeline.abandonOverdueBeside, [PostgresValue(app)])
        let claimed = try await database.query(
            SQL.Pipeline.claimBeside,
            [
                .int(night), PostgresValue(app), .text("process \(leader.processID) on \(leader.host)"),
                .int(leaseSeconds),
            ]
        ).first
        guard let claimed else { throw try await occupied(app) }
        return BesideChunk(
            runID: night, number: try claimed.int("chunk_no"), generation: try claimed.int64("generation"))
    }

    /// Who has the app's purchases.
    private func occupied(_ app: AppID) async throws(PostgresError) -> Occupied {
        guard let row = try await database.query(SQL.Pipeline.findBeside, [PostgresValue(app)]).first else {
            return .justOpened
        }
        return Occupied(
            description: "an intake of \(app) beside a night is at work: held by \(try row.string("leased_by"))",
            until: try row.optionalInstant("leased_until"))
    }

    /// Renews the lease; without it another intake may take the purchases, and this one's load is refused.
    package func renew(_ chunk: BesideChunk, on connection: PostgresConnection) async throws(PostgresError) {
        _ = try await connection.query(
            SQL.Pipeline.renewBeside,
            [.int(chunk.runID), PostgresValue(chunk.number), .int(chunk.generation), .int(leaseSeconds)])
    }

    /// Gives up what was booked nothing of; false where the chunk is not this intake's any more.
    @discardableResult
    package func giveUp(_ chunk: BesideChunk) async throws(PostgresError) -> Bool {
        try await !database.query(
            SQL.Pipeline.giveUpBeside, [.int(chunk.runID), PostgresValue(chunk.number), .int(chunk.generation)]
        ).isEmpty
    }
}
