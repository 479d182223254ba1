// SPDX-License-Identifier: Apache-2.0

import Foundations
import Load
import Logging
import Model
import Postgres
import Runs
import SQLCatalog
import Synchronization

/// The leases of all chunks under way, from the first question to the commit: renewed together, over one session.
///
/// A renewal that fails is tried again, however long the database is away: a lease that ended meanwhile is renewed unless another
/// worker has the chunk. A lease that is lost stops nothing here: the fence refuses the load, which is where it matters.
final class ChunkLeases: Sendable {
    private let runID: Int64
    /// How long a worker that stopped renewing still has its chunk.
    private let seconds: Int64
    private let sessions: DatabaseSessions
    private let logger: Logger
    private let generations = Mutex<[Int: Int64]>([:])

    init(
        of run: Int64, seconds: Int64, sessions: DatabaseSessions, logger: Logger
    ) {
        runID = run
        self.seconds = seconds
        self.sessions = sessions
        self.logger = logger
    }

    /// Renews while the work goes on.
    func maintain<Result: Sendable>(_ work: @Sendable @escaping () async throws -> Result) async throws -> Result {
        let renewal = LeaseRenewal(life: .seconds(seconds), renew: { try await self.renew() }) { [logger] error, _ in
            logger.warning("chunk leases are renewed again", metadata: ["error": "\(error)"])
        }
        return try await renewal.maintain(while: work)
    }

    /// The lease of one chunk, as long as it is worked on.
    func maintain<Result>(of chunk: Chunk, _ work: () async throws -> Result) async throws -> Result {
        generations.withLock { $0[chunk.number] = chunk.generation }
        defer {
            // A chunk that was lost may be ours again by a later claim.
            generations.withLock { if $0[chunk.number] == chunk.generation { $0[chunk.number] = nil } }
        }
        return try await work()
    }

    private func renew() async throws {
        let chunks = generations.withLock { $0.sorted { $0.key < $1.key } }
        guard !chunks.isEmpty else { return }
        _ = try await sessions.use(.leases) { connection in
            try await connection.query(
                SQL.Pipeline.renewChunks,
                [
                    .int(runID), .intArray(chunks.map { Int64($0.key) }), .intArray(chunks.map(\.value)), .int(seconds),
                ])
        }
    }
}
