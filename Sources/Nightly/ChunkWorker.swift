// SPDX-License-Identifier: Apache-2.0

import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// One worker of a run: claims a chunk, walks it through the stages, and claims the next until none is left. It has a session
/// while it reads and while it loads, and none while it asks.
struct ChunkWorker {
    private static let loadAttempts = 5

    let night: NightlyRun
    let run: Run
    let stops: StoppedApps
    let deferred: DeferredChecks
    let leases: ChunkLeases
    /// Of this process, and of no other.
    let name: String
    /// The app whose chunks it takes first: none waits for another one's pace.
    let home: AppID

    func work() async throws {
        while !night.isOutOfTime, let claimed = try await claim() {
            try Task.checkCancellation()
            try await leases.maintain(of: claimed.chunk) { try await walk(claimed) }
        }
    }

    /// A claimed chunk and the app it is of.
    private struct Claimed {
        let chunk: Chunk
        let app: StoreApp
        let keys: [SubscriptionKey]
    }

    private func claim() async throws -> Claimed? {
        let stopped = await stops.failures
        let open = night.apps.filter { stopped[$0.id] == nil }
        let rows = try await night.sessions.use { connection in
            try await connection.query(
                SQL.Pipeline.claimChunk,
                [
                    .int(run.id), .textArray(open.map(\.id.rawValue)), .text(name),
                    .int(night.options.chunkLeaseSeconds), PostgresValue(home),
                ])
        }
        guard let row = rows.first else { return nil }
        let appID = AppID(try row.string("app_id"))
        guard let app = open.first(where: { $0.id == appID }) else { return nil }
        let chunk = Chunk(
            runID: run.id, number: try row.int("chunk_no"), generation: try row.int64("generation"), appID: appID,
            now: run.now)
        let keys = try row.int64Array("subscription_keys").map(SubscriptionKey.init)
        return Claimed(chunk: chunk, app: app, keys: keys)
    }

    /// Extract → Fetch → Transform → Load, for one chunk: in one go, or in several where its answers are long.
    private func walk(_ claimed: Claimed) async throws {
        let app = claimed.app
        let round = CheckRound(
            app: app, now: run.now, isAudit: run.isAudit, timeZone: night.options.timeZone, logger: night.logger)
        var open = claimed.keys
        repeat {
            let known = try await night.sessions.use { try await round.read(open, on: $0) }
            let checked = await round.check(known)
            if let failure = checked.stopped { await stops.stop(app.id, because: failure) }
            try Task.checkCancellation()
            // Where the app stops, what was not asked stays due.
            let rest = checked.stopped == nil ? checked.remaining + known.unread : []
            guard try await load(checked.rows, remaining: rest, of: claimed) else { return }
            night.progress.advanced(app: app.id, by: open.count - rest.count)
            open = rest
        } while !open.isEmpty
    }

    /// False where the chunk is another worker's by now. What was answered is loaded over another session where one is lost,
    /// unless it is in: nothing is asked twice.
    private func load(
        _ rows: FilteredRows, remaining: [SubscriptionKey], of claimed: Claimed
    ) async throws -> Bool {
        let part = claimed.chunk.withNewLoad
        do {
            try await night.sessions.load(part) { connection in
                try await ChunkLoader(connection: connection, chunk: part, logger: night.logger)
                    .load(rows.loaded, remaining: remaining, attempts: Self.loadAttempts)
            }
            if await deferred.add(rows, of: claimed.chunk) { try await night.decide(claimed.app.id, deferred, stops) }
            return true
        } catch let error as LoadError {
            guard case .leaseLost = error else { throw error }
            night.logger.warning("chunk lost", metadata: ["chunk": "\(claimed.chunk.number)"])
            return false
        }
    }
}
