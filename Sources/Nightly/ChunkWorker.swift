// SPDX-License-Identifier: Apache-2.0

import Fetch
import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Stores

/// One worker of a run: claims a chunk, walks it through the stages, and claims the next until none is left.
///
/// It has a session while it reads and while it loads, and none while it asks; the memory that it takes is of the
/// budget of all.
struct ChunkWorker {
    private static let loadAttempts = 5

    let host: NightHost
    let leases: ChunkLeases
    /// Of this process, and of no other.
    let name: String
    /// The app whose chunks it takes: none waits for another one's pace.
    ///
    /// Nil: of any app.
    let home: AppID?
    let gate: ChunkGate

    private var run: Run { host.run }

    /// How many it has claimed.
    func work() async throws -> Int {
        var claimed = 0
        while !host.time.isOver, let start = try await begin() {
            claimed += 1
            try Task.checkCancellation()
            try await leases.maintain(of: start.claimed.chunk) { try await walk(start.claimed, start.part) }
        }
        return claimed
    }

    /// What of a chunk is asked next, and its share of the memory.
    private struct Part {
        let known: CheckRound.Known
        let share: MemoryBudget.Share
    }

    private struct Start {
        let claimed: Claimed
        let part: Part
    }

    /// Claims a chunk and reads what is known of it, once there is memory for it; nil where none is left.
    private func begin() async throws -> Start? {
        try await gate.pass { share in
            try await host.sessions.use { connection in
                guard let claimed = try await claim(on: connection) else { return nil }
                let known = try await round(of: claimed.app).read(claimed.keys, on: connection)
                return Start(claimed: claimed, part: Part(known: known, share: share))
            }
        }
    }

    private func round(of app: StoreApp) -> CheckRound {
        CheckRound(
            app: app, now: run.now, isAudit: run.isAudit, timeZone: host.options.timeZone, logger: host.logger)
    }

    /// A claimed chunk and the app it is of.
    private struct Claimed {
        let chunk: Chunk
        let app: StoreApp
        let keys: [SubscriptionKey]
    }

    private func claim(on connection: PostgresConnection) async throws -> Claimed? {
        let open = try await openApps(on: connection)
        let rows = try await connection.query(
            SQL.Pipeline.claimChunk,
            [
                .int(run.id), .textArray(open.map(\.id.rawValue)), .text(name),
                .int(host.options.chunkLeaseSeconds), host.leaderGeneration,
            ])
        guard let row = rows.first else { return nil }
        let appID = AppID(try row.string("app_id"))
        guard let app = open.first(where: { $0.id == appID }) else { return nil }
        let chunk = Chunk(
            runID: run.id, number: try row.int("chunk_no"), generation: try row.int64("generation"), appID: appID,
            now: run.now)
        let keys = try row.int64Array("subscription_keys").map(SubscriptionKey.init)
        return Claimed(chunk: chunk, app: app, keys: keys)
    }

    /// Those it may take chunks of, by what this host knows and by what another has just noted.
    private func openApps(on connection: PostgresConnection) async throws -> [StoreApp] {
        let known = await host.stops.failures
        let noted = try await connection.query(SQL.Pipeline.listStoppedApps, [.int(run.id)])
            .map { (row) throws(PostgresError) in AppID(try row.string("app_id")) }
        return host.apps.filter {
            known[$0.id] == nil && !noted.contains($0.id) && (home == nil || home == $0.id)
                && !$0.client.isLeavingToOthers
        }
    }

    /// Extract → Fetch → Transform → Load, for one chunk: in one go, or in several where its answers are long.
    private func walk(_ claimed: Claimed, _ first: Part) async throws {
        let app = claimed.app
        let round = round(of: app)
        var (open, part) = (claimed.keys, first)
        while true {
            let time = host.time.number
            let checked = await round.check(part.known, taking: part.share)
            if let failure = checked.stopped, failure.cause != .isolated {
                // Another leader may have a time of its own by now.
                await host.stops.stop(app.id, because: failure) { [time, host] in
                    failure.cause != .outOfTime || time == host.time.number
                }
            }
            try Task.checkCancellation()
            let rest = checked.remaining + part.known.unread
            guard try await load(checked, remaining: rest, of: claimed) else { return }
            host.progress.advanced(app: app.id, by: open.count - rest.count)
            await host.exchange.count(checks: open.count - rest.count, of: app.id, isWhole: rest.isEmpty)
            part.share.release()
            // Where the app stops here, the rest is left to whoever goes on with it, and stays due where none does.
            guard !rest.isEmpty, checked.stopped == nil else { return }
            open = rest
            part = try await gate.pass { share in
                let known = try await host.sessions.use { try await round.read(rest, on: $0) }
                return Part(known: known, share: share)
            }
        }
    }

    /// False where the chunk is another worker's by now.
    ///
    /// What was answered is loaded over another session where one is lost, unless it is in: nothing is asked twice.
    private func load(
        _ checked: CheckRound.Checked, remaining: [SubscriptionKey], of claimed: Claimed
    ) async throws -> Bool {
        let (rows, part) = (checked.rows, claimed.chunk.withNewLoad)
        do {
            try await host.sessions.load(part) { connection in
                try await ChunkLoader(connection: connection, chunk: part, logger: host.logger)
                    .load(
                        rows.loaded, remaining: remaining, isHandedBack: checked.stopped != nil,
                        deferring: rows.suspicious, attempts: Self.loadAttempts)
            }
            let deferred = rows.suspicious.reduce(0) { $0 + $1.failures.count }
            if await host.deferred.add(deferred, of: claimed.app.id) { try await host.decide(on: [claimed.app.id]) }
            return true
        } catch let error as LoadError {
            guard error.isOfOthers else { throw error }
            host.logger.warning(
                "chunk lost", metadata: ["chunk": "\(claimed.chunk.number)", "error": "\(error)"])
            return false
        }
    }
}
